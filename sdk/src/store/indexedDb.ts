/** A store in the browser. */

import { loadPart } from '../wasm/part.js'
import type { Store } from './store.js'

/**
 * Keeps entries in an IndexedDB database of the page's origin.
 *
 * @param name - of the database.
 */
export function indexedDbStore(name = 'lightproof'): Store {
  let opened: Promise<Store> | undefined
  const open = async (): Promise<Store> => {
    opened ??= loadPart(() => import('./database.js')).then(({ openStore }) => openStore(name))
    try {
      return await opened
    } catch (error) {
      opened = undefined
      throw error
    }
  }
  return {
    load: async (key) => (await open()).load(key),
    save: async (key, bytes) => (await open()).save(key, bytes),
    remove: async (key) => (await open()).remove(key),
  }
}
