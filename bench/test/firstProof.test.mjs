/** Starts to the first balance: their parts sum up, and a wrong answer is none. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { engineNames, findEngine } from '../../scripts/engines/find.mjs'
import { serveOneBlock } from '../../scripts/lib/oneBlock.mjs'
import { measureStarts } from '../cases/start.mjs'
import { startInNode, startInPages } from '../firstProof/measure.mjs'
import { partsOf, STEPS } from '../firstProof/watch.mjs'

const MINUTES = 60_000
const found = engineNames.filter((name) => findEngine(name).status === 'found')

/** @type {Awaited<ReturnType<typeof serveOneBlock>>} */
let liar

beforeAll(async () => {
  liar = await serveOneBlock({ lies: true })
})
afterAll(() => liar.close())

test('parts: what runs at once is counted once, and all of it is counted', () => {
  const ends = { program: 10, fetch: 30, compile: 35, answers: 25, proof: 60 }
  const parts = { program: 10, fetch: 20, compile: 5, answers: 0, proof: 25 }
  expect(partsOf(ends)).toEqual(parts)
  const { answers: _, ...others } = ends
  expect(partsOf(others)).toEqual(parts)
  expect(() => partsOf({ ...ends, answers: 61 })).toThrow('after the proof')
  expect(() => partsOf({ program: 10 })).toThrow('after the proof')
})

test('every engine starts, and its parts sum up', { timeout: 5 * MINUTES }, async () => {
  const { rows, titles } = await measureStarts({ rounds: 1, log: () => {} })
  const columns = [...found.flatMap((name) => [`${name}-cold`, `${name}-warm`]), 'node']
  expect(Object.keys(titles.engines)).toEqual(columns)
  for (const engine of columns) {
    const times = new Map(
      rows.filter((row) => row.engine === engine).map((row) => [row.case, row.medianUs]),
    )
    expect([...times.keys()]).toEqual(['whole', ...STEPS].map((step) => `start-${step}`))
    const parts = STEPS.reduce((sum, step) => sum + (times.get(`start-${step}`) ?? Number.NaN), 0)
    expect(parts, engine).toBeCloseTo(times.get('start-whole') ?? Number.NaN, 3)
  }
})

test('a start notes each of its steps', { timeout: 5 * MINUTES }, async () => {
  const honest = await serveOneBlock()
  try {
    expect((await startInNode(honest)).noted).toEqual(STEPS)
    for (const name of found) {
      const [{ cold, warm } = { cold: [], warm: [] }] = await startInPages(name, honest, 1)
      for (const { noted } of [...cold, ...warm]) expect(noted, name).toEqual(STEPS)
    }
  } finally {
    honest.close()
  }
})

test('a wrong answer is no first balance', { timeout: 5 * MINUTES }, async () => {
  await expect(startInNode(liar)).rejects.toThrow('ProofError')
  for (const name of found) {
    await expect(startInPages(name, liar, 1), name).rejects.toThrow('ProofError')
  }
  const other = { ...(await serveOneBlock()), balance: 1n }
  await expect(startInNode(other)).rejects.toThrow('not 1')
  other.close()
})
