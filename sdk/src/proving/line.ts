/** Trusted blocks: one that is pinned or signed, and its ancestors by parent hashes. */

import type { Hash } from '../encoding/input.js'
import type { ProofFile } from '../result/file.js'
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
  /** Where the first block is itself an ancestor of another line's: how that was proven. */
  readonly leap?: Leap
  /** Lines that begin at ancestors of this one's first block. */
  leaps?: Line[]
}

/**
 * A proof in place of parent hashes: an older block's hash stands in the state of a newer one
 * (EIP-2935).
 */
interface Leap {
  readonly from: Located
  /** The proof of that, as a file. */
  readonly file: () => Promise<ProofFile>
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

/**
 * Lines, each with those that begin below it: what is said for a line's first block is said for all
 * of them.
 */
export function withLeaps(lines: readonly (Line | undefined)[]): Line[] {
  return lines.flatMap((line) => {
    if (line === undefined) return []
    const { finality, participation, leaps = [] } = line
    const said = { finality, ...(participation && { participation }) }
    return [line, ...leaps.map((leap) => ({ ...leap, ...said }))]
  })
}

/** The line that a signature or the caller vouches for. */
export function rootOf(line: Line): Line {
  return line.leap === undefined ? line : rootOf(line.leap.from.line)
}
