/** States in a store, and blocks that are written to them. */

import { numbers } from './questions.mjs'

/** @typedef {ReturnType<typeof import('./nodes.mjs').pusherOf>} Push */

/** Writes that one block may have. */
const MOST = 20_000

/**
 * Gives values to keys.
 *
 * @param {Push} push
 * @param {number} from the first key
 * @param {number} to the key after the last one
 */
export async function fill(push, from, to) {
  for (let at = from; at < to; at += MOST) {
    await push(numbers(Math.min(MOST, to - at)).map((i) => at + i))
  }
}

/**
 * Writes blocks of which half the writes are of keys that the state has, and half of new ones.
 *
 * @param {Push} push
 * @param {{ keys: number, writes: number, blocks: number }} size
 * @returns {Promise<{ times: number[], keys: number }>} milliseconds of each block until it was
 *   durable; the keys that the state has then
 */
export async function writeBlocks(push, { keys, writes, blocks }) {
  const times = []
  const half = Math.floor(writes / 2)
  let fresh = keys
  for (let block = 0; block < blocks; block++) {
    // As far apart as keys that users write to.
    const known = new Set(numbers(half).map((i) => (i * 7_919 + block) % keys))
    const { ms } = await push([...known, ...numbers(half).map((i) => fresh + i)])
    fresh += half
    times.push(ms)
  }
  return { times, keys: fresh }
}
