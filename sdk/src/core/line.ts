/** Trusted blocks: one that is pinned or signed, and its ancestors by parent hashes. */

import type { Hash } from '../encoding/input.js'
import type { Participation, Trust } from '../result.js'
import type { Header } from './verifier.js'

/** A line of blocks back from one that is trusted by its hash. */
export interface Line {
  readonly hash: Hash
  /** Of the first block. */
  readonly finality: Exclude<Trust['finality'], 'ancestor'>
  /** Who signed for the first block. */
  readonly participation?: Participation
  /** Verified headers: that of `hash` first, then its ancestors without a gap. */
  readonly headers: Header[]
}

/** Lines that a client keeps: a block that was trusted once stays so. */
export const MAX_LINES = 8

/** A verified header, and the line that vouches for it. */
export interface Located {
  readonly header: Header
  readonly line: Line
}

/** Headers from the line's first block to the given one, both included. */
export function lineage({ header, line: { headers } }: Located): readonly Header[] {
  return headers.slice(0, headers.indexOf(header) + 1)
}
