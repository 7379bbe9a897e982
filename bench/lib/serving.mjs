/**
 * How fast a node answers, over JSON-RPC on this machine: clients and node share its processors.
 */

import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { startNode } from '../../examples/tour/node.mjs'
import { encode, fromHex, integer, toHex } from './rlp.mjs'

const NEWEST = integer(2n ** 32n - 1n)

/** The same 64 questions again and again. */
const REPEATED = 'balanceproofs, asked before'

/**
 * Queries of `lp_getProof` about one slot, by system; `at` counts the requests.
 *
 * @type {Record<string, (key: Uint8Array, at: number) => Uint8Array>}
 */
const QUERIES = {
  lmpt: (key) => encode([key]),
  lvmt: (key) => encode([key]),
  verkle: (key) => encode([key]),
  cole: (key) => encode([integer(1n), key, NEWEST, NEWEST]),
  // Never the same question: a position and a later one.
  balanceproofs: (_, at) => {
    const first = at % 64
    return encode([
      integer(BigInt(first)),
      integer(BigInt(first + 1 + (Math.floor(at / 64) % 2_000))),
    ])
  },
  [REPEATED]: (_, at) => encode([integer(BigInt(at % 64))]),
}

/** What is asked for: a system, or one whose proofs were asked for before at the same block. */
export const SERVED = ['mpt', ...Object.keys(QUERIES)]

/**
 * Starts a node with all systems; what asks it `count` times for a proof of one value, over so many
 * connections at once.
 *
 * @param {number} blocks of its chain
 */
export async function startServing(blocks) {
  const node = await startNode({ prefill: blocks, bornAt: 1_767_225_600, period: 64, blocks: 0 })
  const keys = node.samples.flatMap(({ address, slots }) =>
    slots.map((slot) => ({ address, slot })),
  )
  const url = new URL(node.url)
  let asked = 0

  /** @param {string} system @param {number} at */
  function body(system, at) {
    const { address, slot } = keys[at % keys.length] ?? { address: '0x', slot: '0x' }
    const query = QUERIES[system]
    const [method, params] =
      query === undefined
        ? ['eth_getProof', [address, [slot], `0x${node.head.number.toString(16)}`]]
        : [
            'lp_getProof',
            [
              system === REPEATED ? 'balanceproofs' : system,
              toHex(query(fromHex(address + slot.slice(2)), at)),
              { blockHash: node.head.hash },
            ],
          ]
    return JSON.stringify({ jsonrpc: '2.0', id: at, method, params })
  }

  /**
   * Microseconds by the clock an answer, and bytes of one.
   *
   * @param {string} system
   * @param {number} connections
   * @param {number} count
   */
  async function ask(system, connections, count) {
    const agent = new Agent({ keepAlive: true, maxSockets: connections })
    let [left, bytes] = [count, 0]
    const client = async () => {
      while (left-- > 0) {
        const answer = await post(url, agent, body(system, asked++))
        const { error } = JSON.parse(answer)
        if (error !== undefined) throw new Error(`${system}: ${error.message}`)
        bytes = answer.length
      }
    }
    const began = performance.now()
    await Promise.all(Array.from({ length: connections }, client))
    const us = ((performance.now() - began) * 1000) / count
    agent.destroy()
    return { us, bytes }
  }
  return ask
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
