/** What a client has kept, as soon as that is loaded. */

import { loadHash } from '../wasm/module.js'
import { keep, recall, widen } from './accounts.js'
import type { CacheOptions, Kept } from './cache.js'
import { Habits } from './habits.js'
import { NodeCache } from './nodeCache.js'
import { restore } from './saved.js'

/** Opens a client's cache. */
export async function openKept({ maxBytes, store, chain }: CacheOptions): Promise<Kept> {
  const nodes = new NodeCache(maxBytes, await loadHash())
  const habits = new Habits(nodes)
  const saved = store && (await restore(nodes, store, chain))
  return {
    recall: (root, request) => recall(nodes, root, request),
    narrow: (request) => habits.narrow(request),
    widen: (request, proof) => widen(nodes, request, proof),
    keep: (proof) => {
      habits.note(proof)
      if (keep(nodes, proof)) saved?.save()
    },
    forget: () => {
      nodes.clear()
      saved?.remove()
    },
  }
}
