/**
 * Times several engines in turn, so that whatever the machine does meets all of them alike, by the
 * processor's clock: while others have it, nobody's time passes.
 */

import { performance } from 'node:perf_hooks'

/** @typedef {() => unknown} Check */

const WARM_UP_MS = 300
const BATCH_MS = 5
/** What the rounds of one call may take together, as long as they are {@link LEAST_ROUNDS}. */
const ROUNDS_MS = 1_500
const LEAST_ROUNDS = 7

/**
 * Microseconds per check: one sample per engine and round, the rounds in the same order for all.
 *
 * @param {readonly Check[]} checks
 * @param {number} most rounds; of checks that take long there are fewer
 * @returns {Promise<{ samples: number[], runs: number }[]>}
 */
export async function measure(checks, most) {
  /** @type {{ check: Check, batch: number, samples: number[] }[]} */
  const entries = []
  let roundMs = 0
  for (const check of checks) {
    const ms = await warmUp(check)
    const batch = Math.max(1, Math.round(BATCH_MS / ms))
    entries.push({ check, batch, samples: [] })
    roundMs += batch * ms
  }
  const rounds = Math.min(most, Math.max(LEAST_ROUNDS, Math.floor(ROUNDS_MS / roundMs)))
  for (let round = 0; round < rounds; round++) {
    // Nobody is always first, and nobody always follows the same neighbour's garbage.
    const shift = round % entries.length
    for (const entry of [...entries.slice(shift), ...entries.slice(0, shift)]) {
      entry.samples.push((await timed(entry.check, entry.batch)) / entry.batch)
    }
  }
  return entries.map(({ samples, batch }) => ({ samples, runs: samples.length * batch }))
}

/**
 * Lets the engine's code be optimised.
 *
 * @param {Check} check
 * @returns milliseconds that it takes, by the clock
 */
async function warmUp(check) {
  let [count, ms] = [0, 0]
  const start = performance.now()
  do {
    await check()
    count++
    ms = performance.now() - start
  } while (ms < WARM_UP_MS)
  return ms / count
}

/**
 * Microseconds that so many checks take.
 *
 * @param {Check} check
 * @param {number} count
 */
async function timed(check, count) {
  const start = process.cpuUsage()
  for (let i = 0; i < count; i++) {
    const result = check()
    // An await costs a synchronous check a turn of the queue that it does not need.
    if (result instanceof Promise) await result
  }
  const { user, system } = process.cpuUsage(start)
  return user + system
}

/** @param {readonly number[]} values at least one */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const high = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? Number.NaN) + high) / 2
}

/**
 * Median of the quotients of samples taken in the same round.
 *
 * @param {readonly number[]} theirs
 * @param {readonly number[]} ours
 */
export function pairedRatio(theirs, ours) {
  return median(theirs.map((value, i) => value / (ours[i] ?? Number.NaN)))
}
