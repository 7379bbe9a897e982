/**
 * Trie nodes and code of proofs that held, each under its own hash: found by what a trusted root
 * leads to, or not at all.
 */

import { toHex } from '../../../encoding/hex.js'
import type { HashModule } from '../../../wasm/module.js'

/**
 * Code is its author's choice, and might read as a node: where one is looked for, the other is not
 * found.
 */
export type Kind = 'node' | 'code'

/**
 * Memory that an entry takes beside its bytes, as measured in Node.js 20: its name, an array of its
 * own, and the copy of its bytes in the caller's store.
 */
export const ENTRY_BYTES = 1_000

/** Bytes by their keccak-256, up to a limit of memory; the least recently used are evicted. */
export class NodeCache {
  readonly #maxBytes: number
  readonly #hash: HashModule
  /** The longest unused first. */
  readonly #kept = new Map<
    string,
    { readonly kind: Kind; readonly bytes: Uint8Array; readonly size: number }
  >()
  #bytes = 0

  constructor(maxBytes: number, hash: HashModule) {
    this.#maxBytes = maxBytes
    this.#hash = hash
  }

  /** keccak-256. */
  hash(bytes: Uint8Array): Uint8Array {
    return this.#hash.keccak256(bytes)
  }

  /** The bytes with this hash, if they are kept. */
  get(hash: Uint8Array, kind: Kind): Uint8Array | undefined {
    const key = kind + toHex(hash)
    const item = this.#kept.get(key)
    if (item === undefined) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, item)
    return item.bytes
  }

  /**
   * Keeps the bytes; are they new? Their hash is taken here, so nothing stands under another's
   * name.
   */
  add(bytes: Uint8Array, kind: Kind): boolean {
    const name = this.hash(bytes)
    const size = bytes.length + ENTRY_BYTES
    if (this.get(name, kind) !== undefined || size > this.#maxBytes) return false
    this.#bytes += size
    // A copy: the bytes are part of a whole proof.
    this.#kept.set(kind + toHex(name), { kind, bytes: bytes.slice(), size })
    for (const [oldest, item] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break
      this.#kept.delete(oldest)
      this.#bytes -= item.size
    }
    return true
  }

  /** All that is kept, the longest unused first. */
  all(): { readonly kind: Kind; readonly bytes: Uint8Array }[] {
    return [...this.#kept.values()]
  }

  /** Forgets everything. */
  clear(): void {
    this.#kept.clear()
    this.#bytes = 0
  }
}
