/** A store in the browser. */

import { PlatformError } from '../errors.js'
import type { Store } from './store.js'

const TABLE = 'entries'

/**
 * Keeps entries in an IndexedDB database of the page's origin.
 *
 * @param name - of the database.
 */
export function indexedDbStore(name = 'lightproof'): Store {
  let opening: Promise<IDBDatabase> | undefined
  const table = async (mode: IDBTransactionMode): Promise<IDBObjectStore> => {
    opening ??= openDatabase(name).catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return (await opening).transaction(TABLE, mode).objectStore(TABLE)
  }
  return {
    load: async (key) => {
      const value: unknown = await settled((await table('readonly')).get(key))
      return value instanceof Uint8Array ? value : undefined
    },
    save: async (key, bytes) => {
      await settled((await table('readwrite')).put(bytes, key))
    },
    remove: async (key) => {
      await settled((await table('readwrite')).delete(key))
    },
  }
}

function openDatabase(name: string): Promise<IDBDatabase> {
  if (typeof indexedDB !== 'object') {
    const problem = 'IndexedDB is missing here; use memoryStore, or fileStore in Node.js'
    return Promise.reject(new PlatformError('platform.storage', problem))
  }
  const request = indexedDB.open(name, 1)
  request.onupgradeneeded = () => {
    request.result.createObjectStore(TABLE)
  }
  return settled(request)
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
