/** What a client has kept, as soon as that is loaded. */

import { loadHash } from '../wasm/module.js'
import { keep, recall } from './accounts.js'
import type { CacheOptions, Kept } from './cache.js'
import { NodeCache } from './nodeCache.js'

/** Opens a client's cache. */
export async function openKept({ maxBytes }: CacheOptions): Promise<Kept> {
  const nodes = new NodeCache(maxBytes, await loadHash())
  return {
    recall: (root, request) => recall(nodes, root, request),
    keep: (proof) => {
      keep(nodes, proof)
    },
    forget: () => nodes.clear(),
  }
}
