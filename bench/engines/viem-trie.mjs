/** viem's keccak and RLP under a walk in JavaScript, on bytes throughout. */

import { fromRlp, keccak256 } from 'viem'
import { partsOf } from '../lib/record.mjs'
import { walkAll, walkedFact } from '../lib/walk.mjs'

/** @type {import('../lib/walk.mjs').Kit<Uint8Array>} */
const kit = {
  keccak: (bytes) => keccak256(bytes, 'bytes'),
  decode: (node) => fromRlp(node, 'bytes'),
  decodeValue: (value) => fromRlp(value, 'bytes'),
  toBytes: (bytes) => bytes,
  equal: (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]),
  size: (bytes) => bytes.length,
}

/** @type {import('../lib/types.js').Engine} */
export const engine = {
  id: 'viem-trie',
  title: 'viem + JS trie',
  async prepare({ record }) {
    const parts = partsOf(record)
    return () => walkAll(kit, parts, parts.root)
  },
  fact: (result) => walkedFact(kit, /** @type {ReturnType<typeof walkAll<Uint8Array>>} */ (result)),
}
