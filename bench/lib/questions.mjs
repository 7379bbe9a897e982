/** Questions to a node, and how they are sent: over connections that stay. */

import { request } from 'node:http'
import { encode, fromHex, integer, toHex } from './rlp.mjs'

/** @typedef {import('node:http').Agent} Agent */
/** @typedef {{ method: string, params: unknown[] }} Call */
/** @typedef {{ number: number, hash: string }} Block */

const NEWEST = integer(2n ** 32n - 1n)

/**
 * Queries of `lp_getProof` about one value, by system.
 *
 * @type {Record<string, (key: Uint8Array) => Uint8Array>}
 */
const QUERIES = {
  lmpt: (key) => encode([key]),
  lvmt: (key) => encode([key]),
  verkle: (key) => encode([key]),
  cole: (key) => encode([integer(1n), key, NEWEST, NEWEST]),
}

/** Systems of which a value is asked for by its key. */
export const KEYED = ['mpt', ...Object.keys(QUERIES)]

/** Systems that a node serves. */
export const SYSTEMS = [...KEYED, 'balanceproofs']

/** All of them, as the node's `--systems` takes them. */
export const ALL = [...SYSTEMS].sort().join(',')

/** @param {number} number */
export function quantity(number) {
  return `0x${number.toString(16)}`
}

/**
 * The call for a proof of one value in a block.
 *
 * @param {string} system one of {@link KEYED}
 * @param {{ address: string, slot: string }} key
 * @param {Block} block
 * @returns {Call}
 */
export function proofCall(system, { address, slot }, block) {
  const query = QUERIES[system]?.(fromHex(address + slot.slice(2)))
  if (query !== undefined) return systemCall(system, query, block)
  return { method: 'eth_getProof', params: [address, [slot], quantity(block.number)] }
}

/**
 * The call for a proof of balances at positions, ascending.
 *
 * @param {readonly number[]} positions
 * @param {Block} block
 * @returns {Call}
 */
export function positionsCall(positions, block) {
  const query = encode(positions.map((position) => integer(BigInt(position))))
  return systemCall('balanceproofs', query, block)
}

/**
 * @param {string} system
 * @param {Uint8Array} query
 * @param {Block} block
 */
function systemCall(system, query, { hash }) {
  return { method: 'lp_getProof', params: [system, toHex(query), { blockHash: hash }] }
}

/**
 * Makes a call over one of the agent's connections.
 *
 * @param {URL} url
 * @param {Agent} agent
 * @param {Call} call
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>} the body of the reply, whatever its status
 */
export function post(url, agent, call, signal) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...call })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method: 'POST', headers, signal }, (response) => {
      /** @type {Buffer[]} */
      const parts = []
      response.on('data', (part) => parts.push(part))
      response.on('end', () => resolve(Buffer.concat(parts).toString()))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
