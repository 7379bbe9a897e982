/**
 * What a client keeps of proofs about accounts that held: their trie nodes and code. It is trusted
 * no more than a node: what it gives is verified like all else.
 */

import type { CacheOptions, Kept } from './kept.js'

/** What a client keeps, before and after it is loaded. */
export interface Cache extends CacheOptions {
  opened: Promise<Kept | undefined> | undefined
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
