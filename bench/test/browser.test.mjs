/** Browsers are asked what Node.js is asked, and a false proof fails in them too. */

import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { engineNames, findEngine } from '../../scripts/engines/find.mjs'
import { at } from '../../scripts/lib/repo.mjs'
import { openBrowsers } from '../browser/open.mjs'
import { questionOf } from '../engines/lightproof-wasm.mjs'
import { headerData, inHex } from '../headers/data.mjs'
import { TASKS } from '../headers/measure.mjs'
import { questionOf as questionOfRecord } from '../lib/harness.mjs'
import { BRIEF } from '../lib/native.mjs'
import { loadSuites } from '../lib/suites.mjs'

const MINUTES = 60_000
const found = engineNames.filter((name) => findEngine(name).status === 'found')
const browsers = found.length === 0 ? undefined : await openBrowsers(2)
afterAll(async () => browsers?.close())

/** @param {import('../browser/types.js').Question} question */
async function enginesOf(question) {
  const measured = (await browsers?.measure(question)) ?? new Map()
  for (const { medianUs } of measured.values()) expect(medianUs).toBeGreaterThan(0)
  return [...measured.values()].map(({ engine }) => engine)
}

test.skipIf(browsers === undefined)('proofs of tries', { timeout: 5 * MINUTES }, async () => {
  for (const suite of await loadSuites()) {
    const [bench] = await suite.cases({ profile: BRIEF.profile, accounts: 2_000 })
    if (bench === undefined) throw new Error('no cases')
    const question = questionOf(bench)
    expect(await enginesOf(question), bench.id).toEqual(found)
    const { claims } = question
    const other = claims.endsWith('0') ? '1' : '0'
    const changed = { ...question, claims: `${claims.slice(0, -1)}${other}` }
    await expect(browsers?.measure(changed), bench.id).rejects.toThrow('decode')
  }
})

test.skipIf(browsers === undefined)('signed headers', { timeout: 5 * MINUTES }, async () => {
  const data = (await headerData(BRIEF.profile)).at(-1)
  if (data === undefined) throw new Error('no period')
  for (const task of TASKS) {
    expect(await enginesOf({ kind: 'headers', task, data: inHex(data) }), task).toEqual(found)
  }
  const changed = {
    ...data,
    finality: data.finality.map((byte, i) => (i === 900 ? byte ^ 1 : byte)),
  }
  const question = { kind: /** @type {const} */ ('headers'), data: inHex(changed) }
  await expect(browsers?.measure({ ...question, task: 'finality' })).rejects.toThrow()
})

test.skipIf(browsers === undefined)('equations over curves', { timeout: 5 * MINUTES }, async () => {
  const vectors = JSON.parse(readFileSync(at('test-vectors/verkle.json'), 'utf8'))
  const [{ chain, config, tests }] = vectors.groups
  /** @typedef {{ id: number, expected: { result: string } }} Vector */
  /** @param {string} result */
  const recordOf = (result) => {
    const known = tests.find((/** @type {Vector} */ { expected }) => expected.result === result)
    return { chain, config, ...known, id: `${known.id}` }
  }
  const question = questionOfRecord('verkle', recordOf('valid'))
  expect(question.isCombined).toBe(true)
  expect(await enginesOf(question)).toEqual(found)
  const refused = questionOfRecord('verkle', recordOf('invalid'))
  await expect(browsers?.measure(refused)).rejects.toThrow()
})
