/**
 * What a client keeps of proofs about accounts that held: their trie nodes and code. It is trusted no more than a node: what
 * it gives is verified like all else.
 */

import type { ProofRequest } from '../core/nodes.js'
import type { Hex } from '../encoding/hex.js'

/** How much a client keeps. */
export interface CacheOptions {
  readonly maxBytes: number
}

/** What a client keeps, before and after it is loaded. */
export interface Cache extends CacheOptions {
  opened: Promise<Kept | undefined> | undefined
}

/** What is kept. */
export interface Kept {
  /**
   * The proof about an account, if all of it is kept.
   *
   * @throws ProofError for what was damaged.
   */
  recall(stateRoot: Hex, request: ProofRequest): Uint8Array | undefined
  /** Takes in a proof that held. */
  keep(proof: Uint8Array): void
  /** Forgets everything. */
  forget(): void
}

/** Loads the part that keeps things. Where that fails nothing is kept, and nodes are asked. */
export function openCache(cache: Cache | undefined): Promise<Kept | undefined> | undefined {
  if (cache === undefined) return undefined
  cache.opened ??= import('./open.js')
    .then(({ openKept }) => openKept(cache))
    .catch(() => {
      cache.opened = undefined
      return undefined
    })
  return cache.opened
}
