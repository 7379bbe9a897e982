/** What a client keeps of proofs about accounts. */

import type { Hex } from '../../../encoding/hex.js'
import type { ProofRequest } from '../question.js'

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
