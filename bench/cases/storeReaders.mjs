/** Readers of one store side by side. */

import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { setup } from '../../scripts/setup.mjs'
import { ALL, SYSTEMS } from '../lib/questions.mjs'
import { peakOf, pusherOf, startReader, startWriter } from '../lib/store/nodes.mjs'
import { askAll, CONNECTIONS, numbers } from '../lib/store/questions.mjs'
import { startS3 } from '../lib/store/s3.mjs'
import { fill } from '../lib/store/state.mjs'

/** @typedef {import('../lib/types.js').Row} Row */
/** @typedef {import('../lib/store/s3.mjs').S3} S3 */
/**
 * `asked`: keys that are asked about.
 *
 * @typedef {{ keys: number, asked: number, answers: number, readers: readonly number[] }} Size
 */

const NAME = 'readers'
const READERS = [1, 2, 4]
/** @type {Size} */
const WHOLE = { keys: 100_000, asked: 64, answers: 2_000, readers: READERS }
const CACHE_MIB = 64

/**
 * Asks readers in turn, each of which has been asked the same before.
 *
 * @param {S3} s3
 * @param {Size} size
 * @param {(line: string) => void} log
 * @returns {Promise<{ rows: Row[], cases: Record<string, string> }>}
 */
export async function measureReaders(s3, size, log) {
  /** @type {Row[]} */
  const rows = []
  /** @type {Record<string, string>} */
  const cases = {}
  log('store-readers: a state')
  const writer = await startWriter(s3, NAME, ALL)
  await fill(pusherOf(writer), 0, size.keys)
  await writer.stop()
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  for (const count of size.readers) {
    const options = { cache: CACHE_MIB }
    const readers = await Promise.all(numbers(count).map(() => startReader(s3, NAME, ALL, options)))
    const base = {
      ...{ system: 'store-readers', engine: `readers-${count}`, proofBytes: 0 },
      ...{ ratioToOurs: null, runs: size.answers },
    }
    for (const system of SYSTEMS) {
      log(`store-readers: answers of ${system} by ${count}`)
      // Every reader meets every key, whichever takes the first one.
      for (const reader of readers) await askAll([reader], agent, system, numbers(size.asked))
      const keys = numbers(size.answers).map((i) => (i * 31) % size.asked)
      const ms = await askAll(readers, agent, system, keys)
      const shown = Math.round((size.answers * 1_000) / ms).toLocaleString('en')
      cases[`answers-${system}`] = `answers a second, ${system}`
      const medianUs = Math.round((ms * 1_000) / size.answers)
      rows.push({ ...base, case: `answers-${system}`, medianUs, shown })
    }
    const peaks = readers.map(({ pid }) => peakOf(readFileSync(`/proc/${pid}/status`, 'utf8')))
    const mib = Math.max(...peaks) / 2 ** 20
    cases.memory = `most memory of a reader, with --cache ${CACHE_MIB}`
    rows.push({ ...base, case: 'memory', medianUs: 0, shown: `${mib.toFixed(0)} MiB` })
    await Promise.all(readers.map((reader) => reader.stop()))
  }
  agent.destroy()
  return { rows, cases }
}

/** @type {import('../lib/types.js').OwnSuite} */
export const suite = {
  system: 'store-readers',
  title: 'readers of one store',
  about:
    `By the clock, over ${CONNECTIONS} connections to all readers in turn. A question is one of ` +
    `${WHOLE.asked} keys of ${WHOLE.keys.toLocaleString('en')}, each of which every reader was asked ` +
    'about before. The client, the readers and versitygw share the processors.',
  async run({ log }) {
    await setup(['storeNode'])
    const s3 = await startS3()
    try {
      const { rows, cases } = await measureReaders(s3, WHOLE, log)
      const titleOf = (/** @type {number} */ count) =>
        count === 1 ? '1 reader' : `${count} readers`
      const engines = READERS.map((count) => [`readers-${count}`, titleOf(count)])
      return { rows, titles: { cases, engines: Object.fromEntries(engines) } }
    } finally {
      s3.stop()
    }
  },
}
