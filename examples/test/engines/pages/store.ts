/** Keeps bytes in IndexedDB and finds them again, as a client's store does. */

import { indexedDbStore } from 'lightproof/inline'
import { publish } from './publish.js'

/** What became of the bytes. */
export interface StoreReport {
  /** What an earlier visit of this origin left. */
  readonly before: string
  readonly steps: Readonly<Record<string, string>>
}

const KEY = 'lightproof-devnet-19536-0x00'
/** As large as a store gets. */
const LARGE = Uint8Array.from({ length: 56_000 }, (_, i) => i % 251)

publish(run())

async function run(): Promise<StoreReport> {
  const store = indexedDbStore()
  const before = shown(await store.load(KEY))
  const steps: Record<string, string> = {}
  const look = async (step: string, from = store): Promise<void> => {
    steps[step] = shown(await from.load(KEY))
  }
  await store.save(KEY, LARGE)
  await look('saved')
  await look('opened anew', indexedDbStore())
  await look('another database', indexedDbStore('other'))
  await store.save('other key', Uint8Array.of(9))
  // A view into a larger buffer, as wasm gives them.
  await store.save(KEY, LARGE.subarray(3, 6))
  await look('replaced by a view')
  await store.save(KEY, new Uint8Array(0))
  await look('empty')
  await store.remove(KEY)
  await look('removed')
  await store.remove(KEY)
  await Promise.all(Array.from({ length: 8 }, (_, i) => store.save(KEY, Uint8Array.of(i))))
  await look('eight at once')
  await deleted('lightproof')
  await look('the database deleted meanwhile')
  await store.save(KEY, Uint8Array.of(1, 2, 3))
  await look('saved again')
  return { before, steps }
}

function shown(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return 'nothing'
  const isLarge = bytes.length === LARGE.length && bytes.every((byte, i) => byte === LARGE[i])
  return isLarge ? 'all of it' : `[${bytes.join()}]`
}

/** As another page would, when the user clears what the site keeps. */
function deleted(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name)
    request.onsuccess = () => resolve()
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Error('the store does not let go of its database'))
  })
}
