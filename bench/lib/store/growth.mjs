/** What one system's state in a store takes as it grows. */

import { Agent } from 'node:http'
import { median } from '../measure.mjs'
import { pusherOf, startReader, startWriter } from './nodes.mjs'
import { ask, askAll, numbers } from './questions.mjs'
import { fill, writeBlocks } from './state.mjs'

/** @typedef {import('./proxy.mjs').Requests} Requests */
/** @typedef {import('./s3.mjs').S3} S3 */

/**
 * A system's state of one size.
 *
 * @typedef {object} Rung
 * @property {string} system
 * @property {number} keys
 * @property {number} stored bytes in the store
 * @property {number} written bytes sent to the store for each key that was added since the rung
 *   before
 * @property {number} puts of a block
 * @property {number} gets of a block
 * @property {number} readyGets of a new reader until it answers
 * @property {number} firstGets of the first proof of a new reader
 * @property {number} firstRounds
 * @property {number} thousandGets of a thousand proofs of keys far apart, by one reader
 */

/**
 * How much is measured at each size.
 *
 * @typedef {object} Size
 * @property {readonly number[]} rungs keys, ascending
 * @property {number} writes of a block
 * @property {number} blocks
 * @property {number} held the largest state that the writer's memory holds, in keys
 * @property {{ writes: number, blocks: number }} warmUp blocks that fill the memory of a larger
 *   state's writer, before blocks are measured
 * @property {number} firsts new readers
 * @property {number} proofs
 */

/** Of a reader, and of the writer. */
const CACHE_MIB = 64
const WRITER_MIB = 1_024
/** Of the writer while a larger state is filled: with less, each write reads from the store. */
const FILL_MIB = 12_288
/**
 * Between a reader's polls for new blocks: each adds a request or two to what is counted, and the
 * engine may delete files that the writer has replaced after five minutes.
 */
const POLL_MS = 120_000
/** A prime: keys so far apart share no part of a path but what all share. */
const APART = 7_919

/**
 * Grows a system's state, and measures it at each size.
 *
 * @param {S3} s3
 * @param {string} system
 * @param {Size} size
 * @param {(line: string) => void} log
 * @param {(rung: Rung) => void} onRung called with each size as soon as it is measured
 */
export async function measureGrowth(s3, system, size, log, onRung) {
  const { rungs, writes, blocks, held, warmUp, firsts, proofs } = size
  const name = `growth-${system}`
  let writer = await startWriter(s3, name, system, WRITER_MIB)
  let push = pusherOf(writer)
  const restart = async (/** @type {number} */ cache) => {
    await writer.stop()
    writer = await startWriter(s3, name, system, cache)
    push = pusherOf(writer)
  }
  const agent = new Agent({ keepAlive: true })
  let keys = 0
  for (const rung of rungs) {
    log(`${system}: ${rung.toLocaleString('en')} keys`)
    if (rung > held) await restart(FILL_MIB)
    await s3.delay(0)
    await fill(push, keys, rung)
    const written = (await s3.delay(0)).bytesIn / (rung - keys)
    let filled = rung
    if (rung > held) {
      await restart(WRITER_MIB)
      filled = (await writeBlocks(push, { keys: rung, ...warmUp })).keys
      await s3.delay(0)
    }
    const grown = await writeBlocks(push, { keys: filled, writes, blocks })
    const block = await s3.delay(0)
    keys = grown.keys
    const keyOf = (/** @type {number} */ i) => ((i + 1) * APART) % rung
    /** @type {Requests[]} */
    const starts = []
    /** @type {Requests[]} */
    const counts = []
    for (const i of numbers(firsts)) {
      await s3.delay(0)
      const reader = await startReader(s3, name, system, { cache: CACHE_MIB, pollMs: POLL_MS })
      starts.push(await s3.delay(0))
      await ask(reader, agent, system, keyOf(i))
      counts.push(await s3.delay(0))
      await reader.stop()
    }
    const reader = await startReader(s3, name, system, { cache: CACHE_MIB, pollMs: POLL_MS })
    await s3.delay(0)
    await askAll([reader], agent, system, numbers(proofs).map(keyOf))
    const { gets } = await s3.delay(0)
    await reader.stop()
    onRung({
      ...{ system, keys: rung, stored: s3.stored(name), written },
      ...{ puts: block.puts / blocks, gets: block.gets / blocks },
      readyGets: median(starts.map((count) => count.gets)),
      firstGets: median(counts.map((count) => count.gets)),
      firstRounds: median(counts.map(({ rounds }) => rounds)),
      thousandGets: (gets * 1_000) / proofs,
    })
  }
  agent.destroy()
  await writer.stop()
}
