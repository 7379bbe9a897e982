/** Questions to readers of a store, and what they take. */

import { positionsCall, post, proofCall } from '../questions.mjs'
import { placeOf } from './nodes.mjs'

/** @typedef {import('node:http').Agent} Agent */
/** @typedef {import('./nodes.mjs').Head} Head */
/** @typedef {import('./nodes.mjs').Running} Running */

export const CONNECTIONS = 16
/** Positions that every chain has balances at. */
const POSITIONS = 4_096

/** @param {number} count */
export const numbers = (count) => Array.from({ length: count }, (_, i) => i)

/** @param {number} ms */
export function time(ms) {
  return ms < 1_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1_000).toFixed(1)} s`
}

/**
 * The question about a key, or a position, in a block.
 *
 * @param {string} system
 * @param {number} key
 * @param {Head} head
 */
function callOf(system, key, head) {
  if (system === 'balanceproofs') return positionsCall([key % POSITIONS], head)
  return proofCall(system, placeOf(key), head)
}

/**
 * Asks for the proof of a key in a node's newest block.
 *
 * @param {Running} node
 * @param {Agent} agent
 * @param {string} system
 * @param {number} key
 * @throws {Error} if the node refuses
 */
export async function ask(node, agent, system, key) {
  const call = callOf(system, key, node.head())
  const { error, result } = JSON.parse(await post(new URL(node.ready.url), agent, call))
  if (error !== undefined) throw new Error(`${system}: ${error.message}`)
  if (result === undefined || result === null) throw new Error(`${system}: no proof`)
}

/**
 * Asks readers in turn over {@link CONNECTIONS} connections, and returns the milliseconds that it
 * took.
 *
 * @param {readonly Running[]} readers
 * @param {Agent} agent
 * @param {string} system
 * @param {Iterable<number>} keys
 */
export async function askAll(readers, agent, system, keys) {
  const queue = keys[Symbol.iterator]()
  let turn = 0
  const client = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      const reader = readers[turn++ % readers.length]
      if (reader !== undefined) await ask(reader, agent, system, next.value)
    }
  }
  const began = performance.now()
  await Promise.all(numbers(CONNECTIONS).map(client))
  return performance.now() - began
}
