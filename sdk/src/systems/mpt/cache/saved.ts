/**
 * The cache's copy in the caller's store. Only the bytes are stored; their hashes are computed again
 * when they are loaded.
 */

import { equalBytes, type Hex } from '../../../encoding/hex.js'
import { patiently } from '../../../store/patiently.js'
import type { Store } from '../../../store/store.js'
import type { Kind, NodeCache } from './nodeCache.js'

const FORM = 2
const KINDS: readonly Kind[] = ['node', 'code']
/** Kind and length of an item. */
const ITEM_BYTES = 1 + 4
const HASH_BYTES = 32
const HEAD_BYTES = 1 + HASH_BYTES
/** Delay from the first new proof to the save, so that one save covers a whole screen. */
const PAUSE_MS = 500

/**
 * Form (1 byte) ‖ keccak-256 of the rest ‖ items, each as kind (1 byte) ‖ length (4) ‖ bytes, least
 * recently used first.
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
 * Adds packed items to the cache.
 *
 * @throws RangeError if the bytes are damaged or have another form.
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

/**
 * The persisted part of the cache. Best effort: if the store fails, proofs are fetched again.
 */
export interface Saved {
  /** Schedules a save of the cache. */
  save(): void
  /** Removes the copy from the store. */
  remove(): void
}

/** Loads the stored copy into the cache; a damaged copy is removed. */
export async function restore(cache: NodeCache, store: Store, genesisHash: Hex): Promise<Saved> {
  // One entry per network: two networks that shared one would overwrite each other's nodes.
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
