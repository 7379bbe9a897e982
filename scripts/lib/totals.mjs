/**
 * The counts of the last run of each command, for `.ci/run`, which ends with one sum over all:
 *
 *   node scripts/lib/totals.mjs check test fuzz
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sum, totalLine } from './counts.mjs'
import { at } from './repo.mjs'

/** @typedef {import('./counts.mjs').Counts} Counts */

const fileOf = (/** @type {string} */ command) => at('.cache', 'totals', `${command}.json`)

/**
 * Records what a command counted.
 *
 * @param {string} command
 * @param {Counts} counts
 */
export function saveCounts(command, counts) {
  mkdirSync(at('.cache', 'totals'), { recursive: true })
  writeFileSync(fileOf(command), JSON.stringify(counts))
}

/**
 * What a command counted; one that did not get to its end counts as a failure.
 *
 * @param {string} command
 * @returns {Counts}
 */
function savedCounts(command) {
  const file = fileOf(command)
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 }
  return JSON.parse(readFileSync(file, 'utf8'))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const total = sum(process.argv.slice(2).map(savedCounts))
  console.log(totalLine(total))
  if (total.failed > 0) process.exitCode = 1
}
