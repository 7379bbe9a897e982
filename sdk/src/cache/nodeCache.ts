/** Trie nodes and code of proofs that held, each under its own hash: found by what a trusted root leads to, or not at all. */

import { toHex } from '../encoding/hex.js'
import type { HashModule } from '../wasm/module.js'

/** Bytes by their keccak-256, at most so many; those not used for longest go first. */
export class NodeCache {
  readonly #maxBytes: number
  readonly #hash: HashModule
  /** The longest unused first. */
  readonly #kept = new Map<string, Uint8Array>()
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
  get(hash: Uint8Array): Uint8Array | undefined {
    const key = toHex(hash)
    const bytes = this.#kept.get(key)
    if (bytes === undefined) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, bytes)
    return bytes
  }

  /** Keeps the bytes; are they new? Their hash is taken here, so nothing stands under another's name. */
  add(bytes: Uint8Array): boolean {
    const name = this.hash(bytes)
    if (this.get(name) !== undefined || bytes.length > this.#maxBytes) return false
    this.#bytes += bytes.length
    // A copy: the bytes are part of a whole proof.
    this.#kept.set(toHex(name), bytes.slice())
    for (const [oldest, { length }] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break
      this.#kept.delete(oldest)
      this.#bytes -= length
    }
    return true
  }

  /** All that is kept, the longest unused first. */
  all(): Uint8Array[] {
    return [...this.#kept.values()]
  }

  /** Forgets everything. */
  clear(): void {
    this.#kept.clear()
    this.#bytes = 0
  }
}
