/** ethers' keccak and RLP under a walk in JavaScript. ethers writes bytes as hex. */

import { decodeRlp, getBytes, keccak256 } from 'ethers'
import { partsOf } from '../lib/record.mjs'
import { toHex } from '../lib/rlp.mjs'
import { walkAll, walkedFact } from '../lib/walk.mjs'

/** @type {import('../lib/walk.mjs').Kit<string>} */
const kit = {
  keccak: keccak256,
  decode: decodeRlp,
  decodeValue: decodeRlp,
  toBytes: getBytes,
  equal: (a, b) => a === b,
  size: (hex) => hex.length / 2 - 1,
}

/** @type {import('../lib/types.js').Engine} */
export const engine = {
  id: 'ethers-trie',
  title: 'ethers + JS trie',
  async prepare({ record }) {
    const parts = partsOf(record)
    const root = toHex(parts.root)
    return () => walkAll(kit, parts, root)
  },
  fact: (result) => walkedFact(kit, /** @type {ReturnType<typeof walkAll<string>>} */ (result)),
}
