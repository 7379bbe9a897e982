/** A run in which the machine changed is refused. */

import { expect, test } from 'vitest'
import { BRIEF } from '../lib/native.mjs'
import { acceptRun, changesOf, measureYardsticks } from '../lib/yardstick.mjs'

const MINUTES = 60_000
const before = [
  { id: 'keccaks', us: 100 },
  { id: 'multiplications', us: 60_000 },
]
/** @param {number} keccaks @param {number} multiplications */
const after = (keccaks, multiplications) => [
  { id: 'multiplications', us: multiplications },
  { id: 'keccaks', us: keccaks },
]

test('the machine may change by 15 %, either way', () => {
  for (const keccaks of [100, 115, 87]) {
    expect(changesOf(before, after(keccaks, 60_000))).toEqual([])
    expect(() => acceptRun(before, after(keccaks, 60_000))).not.toThrow()
  }
})

test('by more it may not, whichever of the yardsticks says so', () => {
  expect(changesOf(before, after(116, 60_000))).toEqual([
    '100 entries of 88 bytes, hashed by crate sha3: 100.0 µs at the start, 116.0 µs at the end',
  ])
  expect(changesOf(before, after(86, 60_000))).toHaveLength(1)
  expect(changesOf(before, after(100, 70_000))).toHaveLength(1)
  expect(changesOf(before, after(200, 120_000))).toHaveLength(2)
  expect(() => acceptRun(before, after(116, 60_000))).toThrow(/stays as it is.*\n.*sha3: 100\.0/)
})

test('without both times there is no judgement', () => {
  expect(() => acceptRun([], [])).toThrow('no yardsticks')
  expect(() => acceptRun(before, before.slice(1))).toThrow('keccaks')
  expect(() => acceptRun(before, after(0, 60_000))).toThrow('keccaks')
  expect(() => acceptRun(before, after(Number.NaN, 60_000))).toThrow('keccaks')
})

test('both are measured here', { timeout: 10 * MINUTES }, async () => {
  const [first, second] = [
    await measureYardsticks(BRIEF.profile),
    await measureYardsticks(BRIEF.profile),
  ]
  expect(first.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  // Whatever the machine does meanwhile, there are two times to judge.
  expect(changesOf(first, second).length).toBeLessThanOrEqual(before.length)
})
