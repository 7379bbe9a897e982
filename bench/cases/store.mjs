/** A node on object storage that is near and far: blocks, first proofs, the end of a writer. */

import { Agent } from 'node:http'
import { setup } from '../../scripts/setup.mjs'
import { median } from '../lib/measure.mjs'
import { ALL, SYSTEMS } from '../lib/questions.mjs'
import { pusherOf, startReader, startWriter } from '../lib/store/nodes.mjs'
import { ask, time } from '../lib/store/questions.mjs'
import { startS3 } from '../lib/store/s3.mjs'
import { fill, writeBlocks } from '../lib/store/state.mjs'

/** @typedef {import('../lib/types.js').Row} Row */
/** @typedef {import('../lib/store/s3.mjs').S3} S3 */
/** @typedef {{ keys: number, writes: number, blocks: number, delays: readonly number[] }} Size */

const NAME = 'bench'
/** MiB that the writer keeps in memory: a state of this size fits. */
const CACHE = 512
/** Milliseconds by which each request is held up. */
const DELAYS = [0, 10, 50]
/** @type {Size} */
const WHOLE = { keys: 100_000, writes: 3_600, blocks: 5, delays: DELAYS }
/** Longer than what is measured, in which a reader would look for new blocks. */
const NEVER_MS = 60_000

/**
 * Writes blocks, asks new readers, and kills writers, at each delay.
 *
 * @param {S3} s3
 * @param {Size} size
 * @param {(line: string) => void} log
 * @returns {Promise<{ rows: Row[], cases: Record<string, string> }>}
 */
export async function measureStore(s3, size, log) {
  /** @type {Row[]} */
  const rows = []
  /** @type {Record<string, string>} */
  const cases = {}
  const { delays, blocks } = size
  const add = (
    /** @type {string} */ id,
    /** @type {string} */ title,
    /** @type {number} */ delay,
    /** @type {number} */ ms,
    /** @type {string} */ more,
  ) => {
    cases[id] = title
    const base = { system: 'store', case: id, engine: `delay-${delay}`, proofBytes: 0 }
    const shown = `${time(ms)}${more}`
    rows.push({ ...base, ratioToOurs: null, runs: blocks, medianUs: Math.round(ms * 1000), shown })
  }

  log('store: a state')
  let writer = await startWriter(s3, NAME, ALL, CACHE)
  let push = pusherOf(writer)
  await fill(push, 0, size.keys)
  let { keys } = size
  for (const delay of delays) {
    log(`store: blocks, ${delay} ms`)
    await s3.delay(delay)
    const written = await writeBlocks(push, { ...size, keys })
    keys = written.keys
    const { gets, puts } = await s3.delay(delay)
    const per = (/** @type {number} */ count) => (count / blocks).toFixed(1)
    const title = `block of ${size.writes.toLocaleString('en')} writes, durable, all six systems`
    add('block', title, delay, median(written.times), `, ${per(puts)} puts, ${per(gets)} gets`)
  }

  const agent = new Agent({ keepAlive: true })
  for (const delay of delays) {
    /** @type {number[]} */
    const starts = []
    let ready = ''
    for (const system of SYSTEMS) {
      log(`store: first proof of ${system}, ${delay} ms`)
      const told = async () => {
        const { gets, rounds } = await s3.delay(delay)
        return `, ${gets} gets in ${rounds} rounds`
      }
      await s3.delay(delay)
      const started = performance.now()
      const reader = await startReader(s3, NAME, ALL, { pollMs: NEVER_MS })
      starts.push(performance.now() - started)
      ready = await told()
      const began = performance.now()
      await ask(reader, agent, system, Math.floor(size.keys / 2))
      const ms = performance.now() - began
      add(`first-${system}`, `first proof of a new reader, ${system}`, delay, ms, await told())
      await reader.stop()
    }
    add('ready', 'a new reader, until it answers', delay, median(starts), ready)
  }
  agent.destroy()

  for (const delay of delays) {
    log(`store: the end of a writer, ${delay} ms`)
    await s3.delay(delay)
    const before = writer.head()
    const began = performance.now()
    await writer.stop('SIGKILL')
    writer = await startWriter(s3, NAME, ALL, CACHE)
    if (writer.ready.head.number < before.number) throw new Error('a block was lost')
    push = pusherOf(writer)
    await push([0])
    const ms = performance.now() - began
    add('failover', 'SIGKILL of the writer to the next durable block', delay, ms, '')
  }
  await s3.delay(0)
  await writer.stop()
  return { rows, cases }
}

/** @type {import('../lib/types.js').OwnSuite} */
export const suite = {
  system: 'store',
  title: 'a node on object storage',
  about:
    'By the clock. versitygw, an S3 server, on this machine, behind a proxy that counts requests ' +
    'and holds each up by so many milliseconds; all share the processors. The state has ' +
    `${WHOLE.keys.toLocaleString('en')} keys. Half of a block’s writes are of new keys; it is ` +
    `durable when its push is answered by a writer with --cache ${CACHE}. ` +
    'A new reader has nothing in memory and nothing on disk; a ' +
    'round ends when no request is under way.',
  async run({ log }) {
    await setup(['storeNode'])
    const s3 = await startS3()
    try {
      const { rows, cases } = await measureStore(s3, WHOLE, log)
      const engines = DELAYS.map((delay) => [`delay-${delay}`, `${delay} ms a request`])
      return { rows, titles: { cases, engines: Object.fromEntries(engines) } }
    } finally {
      s3.stop()
    }
  },
}
