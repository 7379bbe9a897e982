/** ethers' keccak and RLP under tries in JavaScript. ethers writes bytes as hex. */

import { concat, decodeRlp, encodeRlp, getBytes, keccak256 } from 'ethers'
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

/** @typedef {import('ethers').RlpStructuredDataish} Item */
/** @typedef {{ key: string, value: string }} Entry */

/**
 * Root of the trie over a block's list, by the indices' RLP.
 *
 * @param {readonly Uint8Array[]} list at least one
 * @returns {string} hex
 */
export function rootOf(list) {
  const entries = list.map((value, i) => ({
    key: encodeRlp(i === 0 ? '0x' : `0x${evenHex(i)}`).slice(2),
    value: concat([value]),
  }))
  return keccak256(encodeRlp(nodeOf(entries, 0)))
}

/**
 * The node of what lies under a path.
 *
 * @param {readonly Entry[]} entries at least one; with more, none of whose keys begins another's
 * @param {number} at nibbles above
 * @returns {Item}
 */
function nodeOf(entries, at) {
  const [{ key, value } = { key: '', value: '' }, ...others] = entries
  if (others.length === 0) return [hexPrefix(key.slice(at), 2), value]
  let end = at
  while (others.every((other) => other.key[end] === key[end])) end++
  if (end > at) return [hexPrefix(key.slice(at, end), 0), referenceTo(nodeOf(entries, end))]
  const children = Array.from({ length: 16 }, (_, nibble) => {
    const below = entries.filter((entry) => Number.parseInt(entry.key[at] ?? '', 16) === nibble)
    return below.length === 0 ? '0x' : referenceTo(nodeOf(below, at + 1))
  })
  return [...children, '0x']
}

/**
 * A node shorter than a hash stands in its parent itself.
 *
 * @param {Item} node
 * @returns {Item}
 */
function referenceTo(node) {
  const rlp = encodeRlp(node)
  return rlp.length < 2 + 64 ? node : keccak256(rlp)
}

/**
 * @param {string} nibbles
 * @param {number} flag 2 of a leaf
 */
function hexPrefix(nibbles, flag) {
  return nibbles.length % 2 === 0 ? `0x${flag}0${nibbles}` : `0x${flag + 1}${nibbles}`
}

/** @param {number} value */
function evenHex(value) {
  const hex = value.toString(16)
  return hex.length % 2 === 0 ? hex : `0${hex}`
}
