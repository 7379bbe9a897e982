/** A block's receipts, made: as many logs and bytes as a busy block of mainnet has. */

import { createHash } from 'node:crypto'
import { ascii, encode, integer, toHex } from './rlp.mjs'

/** @typedef {import('./types.js').RlpItem} RlpItem */

/**
 * Bytes that follow from a name.
 *
 * @param {string} name
 * @param {number} length at most 32
 */
function filler(name, length) {
  return Uint8Array.from(createHash('sha256').update(name).digest().subarray(0, length))
}

/** One of the contracts that write logs. */
const CONTRACT = filler('contract 0', 20)

/**
 * Envelopes of type 2. Every fourth has no log, others have up to six, of 7 contracts.
 *
 * @param {number} count
 * @returns {Uint8Array[]}
 */
export function receipts(count) {
  return Array.from({ length: count }, (_, i) => {
    const logs = i % 4 === 0 ? 0 : 1 + (i % 6)
    const list = Array.from({ length: logs }, (_, at) => logOf(`${i} ${at}`, (i + at) % 7))
    const gas = integer(BigInt(90_000 * (i + 1)))
    const fields = [integer(1n), gas, new Uint8Array(256).fill(i % 256), list]
    return Uint8Array.of(2, ...encode(fields))
  })
}

/**
 * @param {string} name
 * @param {number} contract
 * @returns {RlpItem}
 */
function logOf(name, contract) {
  const topics = ['transfer', `from ${name}`, `to ${name}`].map((topic) => filler(topic, 32))
  return [filler(`contract ${contract}`, 20), topics, filler(`amount ${name}`, 32)]
}

/**
 * The claim that these are all receipts of a block, and the question for one contract's logs.
 *
 * @param {readonly Uint8Array[]} list
 * @param {Uint8Array} root of the trie over the list
 * @returns {Omit<import('./types.js').ProofRecord, 'config'> & { config: { format: string,
 *   paramsDigest: string, params: string } }}
 */
export function recordOf(list, root) {
  const committed = encode([new Uint8Array(32), root, new Uint8Array(256).fill(255)])
  return {
    chain: { kind: 'ethereum', chainId: 1, genesisHash: toHex(new Uint8Array(32)) },
    system: 'body',
    config: { format: 'body/1', paramsDigest: '0x', params: '0x' },
    source: { root: { number: '0x1', bytes: toHex(committed) } },
    query: toHex(encode([ascii('logs'), [CONTRACT], [], integer(0n)])),
    variant: 'plain',
    proof: toHex(encode([list])),
  }
}
