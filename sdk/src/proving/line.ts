/** Trusted blocks: one that is pinned or signed, and its ancestors by parent hashes. */

import type { Hash } from '../encoding/input.js'
import type { FollowedGrounds, Participation, Trust } from '../result/result.js'
import type { Header } from './header.js'

/** A line of blocks back from one that is trusted by its hash. */
export interface Line {
  readonly hash: Hash
  /** Of the first block. */
  readonly finality: Exclude<Trust['finality'], 'ancestor'>
  /** Is the first block the newest signed one, newer than the newest final one? */
  readonly isHead?: boolean
  /** Who signed for the first block. */
  readonly participation?: Participation
  /** Verified headers: that of `hash` first, then its ancestors without a gap. */
  readonly headers: Header[]
}

/** Lines that a client keeps: a block that is final, or pinned, stays so. */
export const MAX_LINES = 8

/** A verified header, and the line that vouches for it. */
export interface Located {
  readonly header: Header
  readonly line: Line
  /** Where the client's chain follows another: what was compared with that one. */
  readonly compared?: FollowedGrounds
}

/** Headers from the line's first block to the given one, both included. */
export function lineage({ header, line: { headers } }: Located): readonly Header[] {
  return headers.slice(0, headers.indexOf(header) + 1)
}
