/** What a client has kept, as soon as that is loaded. */

import { bytesOf } from '../../../encoding/hex.js'
import type { CacheOptions } from '../../../store/cache.js'
import { loadHash } from '../../../wasm/module.js'
import { keep, recall, widen } from './accounts.js'
import { Habits } from './habits.js'
import type { Kept } from './kept.js'
import { NodeCache } from './nodeCache.js'
import { restore } from './saved.js'

/** What cannot be read is not kept: a node is asked for it, and no node is to blame. */
function orNothing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Opens a client's cache. */
export async function openKept({ maxBytes, store, genesisHash }: CacheOptions): Promise<Kept> {
  const nodes = new NodeCache(maxBytes, await loadHash())
  const habits = new Habits(nodes)
  const saved = store && (await restore(nodes, store, genesisHash))
  return {
    recall: (root, request) => orNothing(() => recall(nodes, root, request)),
    narrow: (request) => orNothing(() => habits.narrow(request)),
    widen: (request, proof) => orNothing(() => widen(nodes, request, proof)),
    code: (hash) => nodes.get(bytesOf(hash), 'code'),
    keepCode: (code) => {
      if (nodes.add(code, 'code')) saved?.save()
    },
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
