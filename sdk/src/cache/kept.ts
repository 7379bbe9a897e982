/** What a client keeps, and how much. */

import type { Hex } from '../encoding/hex.js'
import type { Store } from '../store/store.js'
import type { ProofRequest } from '../systems/mpt/question.js'

/** How much a client keeps. */
export interface CacheOptions {
  readonly maxBytes: number
  /** Where it is kept beyond the page or process, if anywhere. */
  readonly store: Store | undefined
  /** The chain's; what is kept of one chain is of no use for another. */
  readonly genesisHash: Hex
}

/** What is kept. */
export interface Kept {
  /**
   * The proof about an account, if all of it is kept.
   */
  recall(stateRoot: Hex, request: ProofRequest): Uint8Array | undefined
  /** The question of which the rest is likely to be kept; undefined if that is none. */
  narrow(request: ProofRequest): ProofRequest | undefined
  /**
   * A node's proof of the narrow question as one of the whole; undefined if the rest has changed.
   */
  widen(request: ProofRequest, proof: Uint8Array): Uint8Array | undefined
  /** The code with this hash, if it is kept. */
  code(hash: Hex): Uint8Array | undefined
  /** Takes in a code that an account was proven to have. */
  keepCode(code: Uint8Array): void
  /** Takes in a proof that held. */
  keep(proof: Uint8Array): void
  /** Forgets everything. */
  forget(): void
}
