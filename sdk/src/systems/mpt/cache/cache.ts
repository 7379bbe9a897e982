/**
 * What a client keeps of proofs about accounts that held: their trie nodes and code. It is trusted
 * no more than a node: what it gives is verified like all else.
 */

import type { Cache } from '../../../store/cache.js'
import type { Kept } from './kept.js'

/** Loads the part that keeps things. If that fails, nothing is kept, and nodes are asked. */
export function openCache(cache: Cache | undefined): Promise<Kept | undefined> | undefined {
  if (cache === undefined) return undefined
  cache.opened ??= import('./open.js')
    .then(({ openKept }) => openKept(cache))
    .catch(() => {
      cache.opened = undefined
      return undefined
    })
  // Sound: no other code sets it.
  return cache.opened as Promise<Kept | undefined>
}
