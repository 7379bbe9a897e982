/** A store is there to save time: one that gives no answer must not cost any. */

import { PlatformError } from '../result/errors.js'
import type { Store } from './store.js'

/** Browsers have left IndexedDB without an answer; a slow disk has one long before this. */
const PATIENCE_MS = 3_000

/** Stores that owe an answer: nothing is asked of them until they give it. */
const silent = new WeakSet<Store>()

/**
 * Asks a store, and does not wait for ever.
 *
 * @throws PlatformError `platform.storage` if it says nothing in time, or what it throws.
 */
export async function patiently<T>(store: Store, ask: (store: Store) => Promise<T>): Promise<T> {
  if (silent.has(store)) throw late()
  const answer = ask(store)
  let timer: ReturnType<typeof setTimeout> | undefined
  const patience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      silent.add(store)
      const hear = (): unknown => silent.delete(store)
      answer.then(hear, hear)
      reject(late())
    }, PATIENCE_MS)
  })
  return Promise.race([answer, patience]).finally(() => clearTimeout(timer))
}

function late(): PlatformError {
  return new PlatformError('platform.storage', 'the store does not answer')
}
