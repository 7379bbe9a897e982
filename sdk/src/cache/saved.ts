/**
 * What is kept, in the caller's store: the bytes alone. Their names are taken anew when they are
 * loaded.
 */

import { equalBytes, type Hex } from '../encoding/hex.js'
import { patiently } from '../store/patiently.js'
import type { Store } from '../store/store.js'
import type { Kind, NodeCache } from './nodeCache.js'

const FORM = 2
const KINDS: readonly Kind[] = ['node', 'code']
/** Of an item: its kind and its length. */
const ITEM_BYTES = 1 + 4
const HASH_BYTES = 32
const HEAD_BYTES = 1 + HASH_BYTES
/** From the first proof that is new to a save: those of a whole screen are saved at once. */
const PAUSE_MS = 500

/**
 * Form (1 byte) ‖ keccak-256 of the rest ‖ each item behind its kind (1 byte) and length (4), the
 * longest unused first.
 */
function pack(cache: NodeCache): Uint8Array {
  const items = cache.all()
  const bytes = new Uint8Array(
    items.reduce((sum, item) => sum + ITEM_BYTES + item.bytes.length, HEAD_BYTES),
  )
  const view = new DataView(bytes.buffer)
  let at = HEAD_BYTES
  for (const { kind, bytes: item } of items) {
    view.setUint8(at, KINDS.indexOf(kind))
    view.setUint32(at + 1, item.length)
    bytes.set(item, at + ITEM_BYTES)
    at += ITEM_BYTES + item.length
  }
  bytes[0] = FORM
  bytes.set(cache.hash(bytes.subarray(HEAD_BYTES)), 1)
  return bytes
}

/**
 * Adds what was packed.
 *
 * @throws RangeError if it is damaged, or of another form.
 */
function unpack(cache: NodeCache, bytes: Uint8Array): void {
  const body = bytes.subarray(HEAD_BYTES)
  if (bytes[0] !== FORM || !equalBytes(bytes.subarray(1, HEAD_BYTES), cache.hash(body))) {
    throw new RangeError('damaged')
  }
  const view = new DataView(body.buffer, body.byteOffset, body.length)
  for (let at = 0; at < body.length; ) {
    const start = at + ITEM_BYTES
    const kind = KINDS[view.getUint8(at)]
    at = start + view.getUint32(at + 1)
    if (at > body.length || kind === undefined) throw new RangeError('damaged')
    cache.add(body.subarray(start, at), kind)
  }
}

/** What a store keeps for a cache. It is all a saving: where the store fails, there is none. */
export interface Saved {
  /** Saves what is kept, soon. */
  save(): void
  /** Forgets it. */
  remove(): void
}

/** Loads what a store has for the cache; what is damaged is dropped. */
export async function restore(cache: NodeCache, store: Store, genesisHash: Hex): Promise<Saved> {
  // One entry per network. Were two to share one, each would find its own in it.
  const key = `lightproof-nodes-${genesisHash}`
  const remove = (): void => {
    patiently(store, (own) => own.remove(key)).catch(ignore)
  }
  const bytes = await patiently(store, (own) => own.load(key)).catch(ignore)
  try {
    if (bytes !== undefined) unpack(cache, bytes)
  } catch {
    cache.clear()
    remove()
  }
  let isDue = false
  const save = (): void => {
    if (isDue) return
    isDue = true
    setTimeout(() => {
      isDue = false
      patiently(store, (own) => own.save(key, pack(cache))).catch(ignore)
    }, PAUSE_MS)
  }
  return { save, remove }
}

const ignore = (): undefined => undefined
