/** The page that the cold start of calls is measured with; nothing here judges a time. */

import { beforeAll, expect, test } from 'vitest'
import { measureColdCall } from '../lib/callPage.mjs'
import { madeCalls } from '../lib/callState.mjs'

const MINUTES = 60_000

/** @type {import('../lib/callState.mjs').RecordedCall} */
let balance

beforeAll(async () => {
  const found = (await madeCalls(100)).find(({ id }) => id === 'made-balance')
  if (found === undefined) throw new Error('no call for a page')
  balance = found
}, 5 * MINUTES)

test('a page that was just opened proves its first call', { timeout: 5 * MINUTES }, async () => {
  for (const [name, samples] of await measureColdCall(balance, 1)) {
    expect(samples, name).toEqual([expect.any(Number)])
  }
})

test('error: another output is no sample', { timeout: 5 * MINUTES }, async () => {
  const opened = measureColdCall({ ...balance, output: '0x00' }, 1)
  // Where no engine is on the machine, nothing is opened.
  const outcome = await opened.then(({ size }) => size, String)
  expect([0, expect.stringContaining('success')]).toContainEqual(outcome)
})
