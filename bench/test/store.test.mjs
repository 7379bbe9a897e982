/** Object storage in the small, and what is reckoned from it. */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { expect, test } from 'vitest'
import { at, debugProgram } from '../../scripts/lib/repo.mjs'
import { findS3 } from '../../scripts/lib/s3.mjs'
import { measureStore } from '../cases/store.mjs'
import { measureReaders } from '../cases/storeReaders.mjs'
import { byDecade, growthTable, onPaper } from '../lib/store/cost.mjs'
import { measureGrowth } from '../lib/store/growth.mjs'
import { measureMemory, memoryTable } from '../lib/store/memory.mjs'
import { startS3 } from '../lib/store/s3.mjs'

// Compiled with the Rust tests, with every feature.
process.env.LIGHTPROOF_STORE_NODE ??= debugProgram('lightproof-node')

const MINUTES = 60_000
const withS3 = test.skipIf(findS3() === undefined)
const quiet = () => {}

/** @type {import('../lib/store/growth.mjs').Rung} */
const RUNG = {
  ...{ system: 'a', keys: 1e6, stored: 2e8, written: 300, puts: 2, gets: 10 },
  ...{ readyGets: 20, firstGets: 8, firstRounds: 3, thousandGets: 1_000 },
}

test('behavior: paths grow by the logarithm of the keys, what is stored by the keys', () => {
  const rungs = [RUNG, { ...RUNG, keys: 1e7, stored: 3e9, puts: 2, gets: 11, thousandGets: 1_500 }]
  expect(byDecade(rungs, ({ gets }) => gets, 1e9)).toBeCloseTo(13)
  expect(byDecade([RUNG], ({ gets }) => gets, 1e9)).toBe(10)
  expect(() => byDecade([], ({ gets }) => gets, 1e9)).toThrow('no sizes')
  const paper = onPaper(rungs)
  expect(paper.stored).toBeCloseTo(3e11)
  expect(paper.storage).toBeCloseTo(300 * 0.023)
  expect(paper.blocks).toBeCloseTo(216_000 * (2 * 5e-6 + 13 * 4e-7))
  expect(paper.thousand).toBeCloseTo(2_500 * 4e-7)
  const text = growthTable([{ place: 'here', rungs }])
  expect(text).toContain('| a, 10,000,000 keys | 300 | 300 | 2.0 | 11.0 | 20 | 8, 3 | 1,500 |')
  expect(text).toContain('| a | 300 | 7 | 2.0, 13.0 | 3 | 2,500 | 0.0010 |')
})

test('edge: an answer that nobody reads to its end frees its connection', async () => {
  const body = Buffer.alloc(1 << 22)
  const server = createServer((_, answer) => void answer.end(body)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const proxy = fork(at('bench/lib/store/proxy.mjs'), [`${address.port}`])
  const [port] = await once(proxy, 'message')
  const ask = async () => {
    const [answer] = await once(get(`http://127.0.0.1:${port}/object`), 'response')
    return answer
  }
  // More than the proxy has connections.
  for (let i = 0; i < 300; i++) (await ask()).destroy()
  let length = 0
  for await (const part of await ask()) length += part.length
  expect(length).toBe(body.length)
  proxy.disconnect()
  server.close()
})

withS3(
  'behavior: blocks, first proofs and the end of a writer, near and far',
  { timeout: 3 * MINUTES },
  async () => {
    const s3 = await startS3()
    const size = { keys: 300, writes: 60, blocks: 2, delays: [0, 20] }
    const { rows, cases } = await measureStore(s3, size, quiet)
    s3.stop()
    expect(new Set(rows.map((row) => row.case))).toEqual(new Set(Object.keys(cases)))
    // A block, a new reader, its first proof of each of six systems, the end of a writer; twice.
    expect(rows).toHaveLength(2 * 9)
    const block = rows.filter((row) => row.case === 'block')
    expect(block.every(({ shown }) => /[1-9]\d*\.\d puts/.test(shown ?? ''))).toBe(true)
    const far = rows.find((row) => row.case === 'ready' && row.engine === 'delay-20')
    const rounds = Number(/in (\d+) rounds/.exec(far?.shown ?? '')?.[1])
    expect(rounds).toBeGreaterThan(0)
    // A round is held up once.
    expect(far?.medianUs).toBeGreaterThanOrEqual(rounds * 20_000)
  },
)

withS3('behavior: readers side by side', { timeout: 3 * MINUTES }, async () => {
  const s3 = await startS3()
  const { rows } = await measureReaders(
    s3,
    { keys: 200, asked: 4, answers: 20, readers: [1, 2] },
    quiet,
  )
  s3.stop()
  expect(rows).toHaveLength(2 * 7)
  expect(rows.filter((row) => row.case === 'memory').map(({ shown }) => shown)).toEqual([
    expect.stringMatching(/^[1-9]\d+ MiB$/),
    expect.stringMatching(/^[1-9]\d+ MiB$/),
  ])
})

withS3('behavior: a state that grows', { timeout: 3 * MINUTES }, async () => {
  const s3 = await startS3()
  const counts = { writes: 40, blocks: 2, firsts: 2, proofs: 20 }
  // The larger state is filled by another writer than the one that is measured.
  const size = { ...counts, rungs: [200, 1_000], held: 200, warmUp: { writes: 40, blocks: 2 } }
  /** @type {import('../lib/store/growth.mjs').Rung[]} */
  const rungs = []
  await measureGrowth(s3, 'mpt', size, quiet, (rung) => void rungs.push(rung))
  s3.stop()
  expect(rungs.map(({ keys }) => keys)).toEqual([200, 1_000])
  for (const rung of rungs) {
    // A slot's key and value have 84 bytes without any tree.
    expect(rung.stored).toBeGreaterThan(rung.keys * 84)
    expect(rung.written).toBeGreaterThan(84)
    expect(rung.puts).toBeGreaterThanOrEqual(1)
    expect(rung.readyGets).toBeGreaterThan(0)
    // So little is in the log alone, which the reader has read.
    expect(rung.firstGets).toBeLessThanOrEqual(rung.readyGets)
  }
})

withS3('behavior: the memory of a reader that is asked', { timeout: 3 * MINUTES }, async () => {
  const s3 = await startS3()
  const load = { minutes: 0.05, samples: 2, blockMs: 500, writes: 12, connections: 2, pauseMs: 5 }
  const samples = await measureMemory(s3, { ...load, keys: 200, cache: 8 }, quiet)
  s3.stop()
  expect(samples).toHaveLength(3)
  expect(samples[0]?.answers).toBe(0)
  // The reader is asked about blocks that were made meanwhile.
  expect(samples[2]?.block).toBeGreaterThan(samples[0]?.block ?? Number.NaN)
  expect(samples.slice(1).every(({ answers }) => answers > 0)).toBe(true)
  const lines = memoryTable('here', samples).split('\n')
  expect(lines).toHaveLength(2 + 2 + 3)
  expect(lines.at(-1)).toMatch(/^\| 0 \| [1-9]\d+ MiB \| [1-9]\d* \| \d+ \|$/)
})
