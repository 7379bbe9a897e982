/**
 * What a client keeps of proofs about accounts that held: their trie nodes and code. It is trusted no more than a node: what
 * it gives is verified like all else.
 */

import type { Chain } from '../chains.js'
import type { ProofRequest } from '../core/nodes.js'
import type { Hex } from '../encoding/hex.js'
import type { Store } from '../store/store.js'

/** How much a client keeps. */
export interface CacheOptions {
  readonly maxBytes: number
  /** Where it is kept beyond the page or process, if anywhere. */
  readonly store: Store | undefined
  readonly chain: Chain
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
  /** The question of which the rest is likely to be kept; undefined if that is none. */
  narrow(request: ProofRequest): ProofRequest | undefined
  /** A node's proof of the narrow question as one of the whole; undefined if the rest has changed. */
  widen(request: ProofRequest, proof: Uint8Array): Uint8Array | undefined
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
