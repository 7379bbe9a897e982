/**
 * How fast a node answers, over JSON-RPC on this machine: clients and node share its processors.
 */

import { Agent } from 'node:http'
import { performance } from 'node:perf_hooks'
import { startNode } from '../../examples/tour/node.mjs'
import { KEYED, positionsCall, post, proofCall, quantity } from './questions.mjs'

/** Positions of a balanceproofs vector. */
const VECTOR = 4_096

/** Questions that are repeated, of each that is asked before. */
const REPEATED = 64

/** Sets of positions that are asked for, by their name. */
const SETS = new Map([
  ['balanceproofs, 1 position', 1],
  ['balanceproofs, 16 positions', 16],
  ['balanceproofs, 1,024 positions', 1_024],
])

const BEFORE = ', asked before'

/** What is asked for: proofs of a system that nobody asked for before, or that somebody did. */
export const SERVED = [...KEYED, ...SETS.keys()].flatMap((system) =>
  system === 'mpt' ? [system] : [system, `${system}${BEFORE}`],
)

/**
 * A set of so many positions, evenly apart.
 *
 * @param {number} count
 * @param {number} at another set for each
 */
function positions(count, at) {
  const step = 2 * Math.floor(at / VECTOR) + 1
  const all = Array.from({ length: count }, (_, i) => (at + i * step) % VECTOR)
  return all.sort((a, b) => a - b)
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

  /**
   * A question that was not asked before, of what is not to be asked for before.
   *
   * @param {string} served
   */
  async function question(served) {
    const count = asked.get(served) ?? 0
    asked.set(served, count + 1)
    const system = served.replace(BEFORE, '')
    const at = served.endsWith(BEFORE) ? count % REPEATED : count
    const size = SETS.get(system)
    if (size !== undefined) {
      // Of one position there are no more questions at a block than positions.
      const older = size === 1 ? Math.floor(at / VECTOR) : 0
      const number = Math.max(node.head.number - older, 0)
      return positionsCall(positions(size, at), { number, hash: await hashOf(number) })
    }
    const { address } = contracts[at % contracts.length] ?? { address: '0x' }
    const slot = Math.floor(at / contracts.length)
      .toString(16)
      .padStart(64, '0')
    return proofCall(system, { address, slot: `0x${slot}` }, node.head)
  }

  /** @param {number} number */
  async function hashOf(number) {
    const known = hashes.get(number)
    if (known !== undefined) return known
    const agent = new Agent()
    const call = { method: 'eth_getBlockByNumber', params: [quantity(number), false] }
    const block = await post(url, agent, call)
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
        const call = await question(served)
        const sent = performance.now()
        const answer = await post(url, agent, call)
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
