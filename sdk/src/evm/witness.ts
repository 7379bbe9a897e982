/**
 * What nodes served for calls: trusted by nobody. The module takes what a root leads to, and finds
 * nothing else in it.
 */

import { type Hex, toHex } from '../encoding/hex.js'
import { itemsOf, readRlp, stringOf } from '../encoding/readRlp.js'

/** Trie nodes, codes and headers. */
export class Witness {
  /**
   * By their hex, so that each is handed over once: proofs of one state share their first nodes.
   */
  readonly nodes: Map<Hex, Uint8Array> = new Map<Hex, Uint8Array>()
  readonly codes: Map<Hex, Uint8Array> = new Map<Hex, Uint8Array>()
  /** Before the block, its parent first. */
  headers: readonly Uint8Array[] = []

  /** Takes in the core's proof of an account, its slots and its code. */
  addProof(proof: Uint8Array): void {
    const [, , , , , account, storage, code] = itemsOf(readRlp(proof))
    const slots = itemsOf(storage).map((slot) => itemsOf(slot)[2])
    for (const list of [account, ...slots]) {
      for (const node of itemsOf(list).map(stringOf)) this.nodes.set(toHex(node), node)
    }
    for (const bytes of itemsOf(code).map(stringOf)) this.addCode(bytes)
  }

  /** Takes in a code. */
  addCode(code: Uint8Array): void {
    if (code.length > 0) this.codes.set(toHex(code), code)
  }
}
