/** Every case runs in every engine with the right verdict; nothing here judges a time. */

import { describe, expect, test } from 'vitest'
import { prepareChecks } from '../lib/bench.mjs'
import { measureCold } from '../lib/cold.mjs'
import { measure, median, pairedRatio } from '../lib/measure.mjs'
import { BRIEF, measureNative } from '../lib/native.mjs'
import { partsOf } from '../lib/record.mjs'
import { toHex } from '../lib/rlp.mjs'
import { measureSizes } from '../lib/sizes.mjs'
import { loadEngine, loadSuites } from '../lib/suites.mjs'

/** @typedef {import('../lib/types.js').BenchCase} BenchCase */

const MINUTES = 60_000

const suites = await loadSuites()

// Engines are warmed up one after another, and processes are started: on a busy machine that takes long.
describe.each(suites)('$system', { timeout: 2 * MINUTES }, (suite) => {
  const cases = suite.cases()

  test.each(cases)('every engine proves: $title', async (bench) => {
    const engines = await Promise.all(suite.engines.map(loadEngine))
    const results = await measure(await prepareChecks(bench, engines), 2)
    expect(results.map(({ samples }) => samples.length)).toEqual(suite.engines.map(() => 2))
  })

  test.each(cases)('every engine refuses a flipped digit: $title', async (bench) => {
    for (const id of suite.engines) {
      const check = await (await loadEngine(id)).prepare(tampered(bench))
      await expect((async () => check())(), id).rejects.toThrow()
    }
  })

  test('the native core proves every case', { timeout: 10 * MINUTES }, async () => {
    const lines = await measureNative(cases, BRIEF)
    expect([...lines.keys()]).toEqual(cases.map(({ id }) => id))
  })

  test('every engine starts cold', async () => {
    const [bench] = cases
    if (bench === undefined) throw new Error('no cases')
    const samples = await measureCold(suite.engines, bench, 1)
    expect(samples.flat().every((us) => us > 0)).toBe(true)
    expect(samples.length).toBe(suite.engines.length)
  })
})

test('sizes of modules and bundles', { timeout: 2 * MINUTES }, async () => {
  const sizes = await measureSizes()
  expect(sizes.map(({ name }) => name)).toContain('module hash')
  for (const { raw, gzip, brotli } of sizes) {
    expect(raw).toBeGreaterThan(gzip)
    expect(gzip).toBeGreaterThan(brotli)
  }
})

test('median and paired ratio', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 3])).toBe(2.5)
  expect(pairedRatio([10, 30, 20], [1, 10, 4])).toBe(5)
})

/**
 * The case with one digit of the account's last node flipped.
 *
 * @param {BenchCase} bench
 * @returns {BenchCase}
 */
function tampered(bench) {
  const leaf = partsOf(bench.record).accountProof.at(-1)
  if (leaf === undefined) throw new Error('no node to tamper with')
  const digits = toHex(leaf).slice(2)
  const last = Number.parseInt(digits.slice(-1), 16) ^ 1
  const proof = bench.record.proof.replace(digits, digits.slice(0, -1) + last.toString(16))
  return { ...bench, record: { ...bench.record, proof } }
}
