/** What sources of checkpoints say, and what that comes to. */

import type { Hash } from '../encoding/input.js'
import type { Tried } from '../result/result.js'

/** What a source says is the root of a slot. */
export interface CheckpointVote {
  readonly source: string
  /** Whose voice it is. */
  readonly operator: string
  readonly root: Hash
}

/** What the sources said of one slot. */
export interface CheckpointAnswers {
  /** Slot of the final block in question; on a devnet its number. */
  readonly slot: bigint
  readonly votes: readonly CheckpointVote[]
  /** Sources that named no root of that slot: unreachable, or not as far yet. */
  readonly failed: readonly Tried[]
}

/** Enough operators name one root, and no other root has as many. */
export interface CheckpointAgreed extends CheckpointAnswers {
  readonly status: 'agreed'
  /** For `anchor: { checkpoint }`. */
  readonly checkpoint: Hash
  /** Sources that name another root for the same slot: they follow another chain, or lie. */
  readonly dissent: readonly CheckpointVote[]
}

/** No root has enough votes, or two have. Each slot that was asked about, the newest first. */
export interface CheckpointDisagreed {
  readonly status: 'disagreed'
  readonly answers: readonly CheckpointAnswers[]
  /** Sources that named no final block at all. */
  readonly failed: readonly Tried[]
}
