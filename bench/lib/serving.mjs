/**
 * How fast a node answers, over JSON-RPC on this machine: clients and node share its processors.
 */

import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { startNode } from '../../examples/tour/node.mjs'
import { encode, fromHex, integer, toHex } from './rlp.mjs'

const NEWEST = integer(2n ** 32n - 1n)

/** Positions of a balanceproofs vector. */
const VECTOR = 4_096

/** Questions that are repeated, of each that is asked before. */
const REPEATED = 64

/**
 * Queries of `lp_getProof`, by system; `at` counts the questions, of which no two are the same at
 * one block.
 *
 * @type {Record<string, (key: Uint8Array, at: number) => Uint8Array>}
 */
const QUERIES = {
  lmpt: (key) => encode([key]),
  lvmt: (key) => encode([key]),
  verkle: (key) => encode([key]),
  cole: (key) => encode([integer(1n), key, NEWEST, NEWEST]),
  'balanceproofs, 1 position': positions(1),
  'balanceproofs, 16 positions': positions(16),
  'balanceproofs, 1,024 positions': positions(1_024),
}

const BEFORE = ', asked before'

/** What is asked for: proofs of a system that nobody asked for before, or that somebody did. */
export const SERVED = [
  'mpt',
  ...Object.keys(QUERIES).flatMap((system) => [system, `${system}${BEFORE}`]),
]

/**
 * Sets of so many positions, evenly apart.
 *
 * @param {number} count
 * @returns {(key: unknown, at: number) => Uint8Array}
 */
function positions(count) {
  return (_, at) => {
    const step = 2 * Math.floor(at / VECTOR) + 1
    const all = Array.from({ length: count }, (_, i) => (at + i * step) % VECTOR)
    return encode(all.sort((a, b) => a - b).map((position) => integer(BigInt(position))))
  }
}

/**
 * @typedef {object} Taken
 * @property {number} us microseconds by the clock an answer
 * @property {number} bytes of one
 * @property {readonly number[]} waits milliseconds that each was waited for, ascending
 */

/**
 * Starts a node with all systems; what asks it `count` times for proofs, over so many connections
 * at once.
 *
 * @param {number} blocks of its chain
 * @returns {Promise<(served: string, connections: number, count: number) => Promise<Taken>>}
 */
export async function startServing(blocks) {
  const node = await startNode({ prefill: blocks, bornAt: 1_767_225_600, period: 64, blocks: 0 })
  const contracts = node.samples.filter(({ kind }) => kind === 'contract')
  const url = new URL(node.url)
  /** @type {Map<string, number>} */
  const asked = new Map()
  /** @type {Map<number, string>} */
  const hashes = new Map([[node.head.number, node.head.hash]])

  /** @param {string} served */
  async function body(served) {
    const count = asked.get(served) ?? 0
    asked.set(served, count + 1)
    const [system = '', kind] = served.replace(BEFORE, '').split(', ')
    const at = served.endsWith(BEFORE) ? count % REPEATED : count
    const { address } = contracts[at % contracts.length] ?? { address: '0x' }
    const slot = Math.floor(at / contracts.length)
      .toString(16)
      .padStart(64, '0')
    if (system === 'mpt') {
      return call('eth_getProof', [address, [`0x${slot}`], quantity(node.head.number)])
    }
    const query = QUERIES[kind === undefined ? system : `${system}, ${kind}`]?.(
      fromHex(address + slot),
      at,
    )
    // Of one position there are no more questions at a block than positions.
    const older = kind === '1 position' ? Math.floor(at / VECTOR) : 0
    const blockHash = await hashOf(Math.max(node.head.number - older, 0))
    return call('lp_getProof', [system, toHex(query ?? new Uint8Array()), { blockHash }])
  }

  /** @param {number} number */
  async function hashOf(number) {
    const known = hashes.get(number)
    if (known !== undefined) return known
    const agent = new Agent()
    const block = await post(url, agent, call('eth_getBlockByNumber', [quantity(number), false]))
    const { hash } = JSON.parse(block).result
    hashes.set(number, hash)
    return hash
  }

  return async (served, connections, count) => {
    const agent = new Agent({ keepAlive: true, maxSockets: connections })
    let [left, bytes] = [count, 0]
    /** @type {number[]} */
    const waits = []
    const client = async () => {
      while (left-- > 0) {
        const question = await body(served)
        const sent = performance.now()
        const answer = await post(url, agent, question)
        waits.push(performance.now() - sent)
        const { error } = JSON.parse(answer)
        if (error !== undefined) throw new Error(`${served}: ${error.message}`)
        bytes = answer.length
      }
    }
    const began = performance.now()
    await Promise.all(Array.from({ length: connections }, client))
    const us = ((performance.now() - began) * 1000) / count
    agent.destroy()
    return { us, bytes, waits: waits.sort((a, b) => a - b) }
  }
}

/** @param {number} number */
function quantity(number) {
  return `0x${number.toString(16)}`
}

/**
 * @param {string} method
 * @param {readonly unknown[]} params
 */
function call(method, params) {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

/**
 * @param {URL} url
 * @param {Agent} agent
 * @param {string} body
 * @returns {Promise<string>}
 */
function post(url, agent, body) {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method: 'POST', headers }, (response) => {
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
