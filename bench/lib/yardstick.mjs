/**
 * Work of other crates, timed natively before and after a run, by the processor's clock: where it
 * takes another time at the end, others had the machine's caches, or its clock changed, and the
 * run's figures say nothing.
 */

import { cargoBench } from '../../scripts/lib/cargo.mjs'

/** @typedef {{ id: string, us: number }} Yardstick */

/** Most of a change that is the machine's usual. */
const MOST_CHANGE = 0.15

/** @type {Record<string, string>} */
const TITLES = {
  keccaks: '100 entries of 88 bytes, hashed by crate sha3',
  multiplications: '1,000 multiplications of a point of BN254 by arkworks',
}

/**
 * @param {string} [profile] cargo's
 * @returns {Promise<Yardstick[]>}
 */
export function measureYardsticks(profile = 'bench') {
  return cargoBench('lightproof-prover', 'yardstick', profile, [])
}

/**
 * What changed by more than it may, a line each.
 *
 * @param {readonly Yardstick[]} before
 * @param {readonly Yardstick[]} after the same, at the run's end
 * @returns {string[]}
 * @throws if there is nothing to compare, or a row is missing or no time.
 */
export function changesOf(before, after) {
  if (before.length === 0) throw new Error('no yardsticks')
  return before.flatMap(({ id, us }) => {
    const end = after.find((row) => row.id === id)?.us ?? Number.NaN
    if (!(us > 0 && end > 0)) throw new Error(`yardstick ${id}: ${us} and ${end} µs`)
    const change = Math.max(us, end) / Math.min(us, end) - 1
    if (change <= MOST_CHANGE) return []
    const times = `${us.toFixed(1)} µs at the start, ${end.toFixed(1)} µs at the end`
    return [`${TITLES[id] ?? id}: ${times}`]
  })
}

/**
 * Refuses a run in which the machine changed.
 *
 * @param {readonly Yardstick[]} before
 * @param {readonly Yardstick[]} after
 * @throws naming what changed.
 */
export function acceptRun(before, after) {
  const changes = changesOf(before, after)
  if (changes.length === 0) return
  const limit = `the machine changed by more than ${MOST_CHANGE * 100} % during the run`
  throw new Error(
    [`${limit}, so bench/README.md stays as it is: measure again, alone`, ...changes].join('\n  '),
  )
}
