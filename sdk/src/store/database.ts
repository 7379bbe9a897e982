/** A database of the browser, as a store: loaded by the first use of it. */

import { isBytes } from '../encoding/hex.js'
import { PlatformError } from '../result/errors.js'
import type { Store } from './store.js'

const TABLE = 'entries'

/** The store in the database of this name. */
export function openStore(name: string): Store {
  let opening: Promise<IDBDatabase> | undefined
  const forget = (): void => {
    opening = undefined
  }
  const begin = async (mode: IDBTransactionMode): Promise<IDBTransaction> => {
    opening ??= openDatabase(name, forget).catch((error: unknown) => {
      forget()
      throw error
    })
    return (await opening).transaction(TABLE, mode)
  }
  const write = async (change: (table: IDBObjectStore) => void): Promise<void> => {
    const transaction = await begin('readwrite')
    // A request may succeed and its transaction fail after it, where there is no room.
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error)
    })
    change(transaction.objectStore(TABLE))
    await done
  }
  return {
    load: async (key) => {
      const request = (await begin('readonly')).objectStore(TABLE).get(key)
      const value: unknown = await settled(request)
      return isBytes(value) ? value : undefined
    },
    save: (key, bytes) => write((table) => table.put(bytes, key)),
    remove: (key) => write((table) => table.delete(key)),
  }
}

async function openDatabase(name: string, onClose: () => void): Promise<IDBDatabase> {
  if (typeof indexedDB !== 'object') {
    const problem = 'IndexedDB is missing; use another store'
    throw new PlatformError('platform.storage', problem)
  }
  const request = indexedDB.open(name, 1)
  request.onupgradeneeded = () => {
    request.result.createObjectStore(TABLE)
  }
  const database = await settled(request)
  // The browser closes it when the user clears the site's data; another page may want to delete it.
  database.onclose = onClose
  database.onversionchange = () => {
    database.close()
    onClose()
  }
  return database
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
