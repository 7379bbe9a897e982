/**
 * Everything: gates, fuzzer and tests, in lanes beside each other. `.ci/run` runs it; it ends in
 * `N passed, N failed` over all of it, where gates and fuzz targets count when they fail.
 */
import { checkRest, checkRust } from './check.mjs'
import { fuzzTargets } from './fuzz.mjs'
import { sum, totalLine } from './lib/counts.mjs'
import { duration, ended, printFailure } from './lib/steps.mjs'
import { table } from './lib/table.mjs'
import { setup } from './setup.mjs'
import { suiteTable, testLane } from './test.mjs'

/** @typedef {import('./lib/counts.mjs').Counts} Counts */
/** @typedef {{ counts: Counts, row?: (string | number)[] }} Result */

// Nothing is compiled twice here, so what cargo would keep for the next time costs only time.
process.env.CARGO_INCREMENTAL = '0'
// A panic names its line without it.
process.env.CARGO_PROFILE_DEV_DEBUG = '0'
// Crates in one piece: what is inlined or generic is not compiled once for each of 16. Other lanes
// use the second processor.
process.env.CARGO_PROFILE_DEV_CODEGEN_UNITS = '1'

const FUZZ_MINUTES = Number(process.env.FUZZ_MINUTES ?? 3)

/**
 * What failed, as counts.
 *
 * @param {number} count
 * @returns {Result[]}
 */
function failures(count) {
  return [{ counts: { passed: 0, failed: count, skipped: 0 } }]
}

/**
 * A part of the run; one that breaks counts as a failure, and the next one still runs.
 *
 * @param {() => Promise<Result[]>} work
 * @returns {Promise<Result[]>}
 */
async function part(work) {
  try {
    return await work()
  } catch (error) {
    printFailure(error)
    return failures(1)
  }
}

const LANES = {
  cargo: [
    // First: the tests of other lanes run the programs that are compiled with these.
    async () => {
      await setup(['tests'])
      return []
    },
    async () => failures((await checkRust()).length),
    () => testLane('rust'),
  ],
  'Node.js': [
    async () => failures((await checkRest()).length),
    () => testLane('node'),
    async () => failures((await fuzzTargets(FUZZ_MINUTES)).crashed),
  ],
  browsers: [() => testLane('engines')],
}

/**
 * When each lane ended: the one that ends last holds up all of it.
 *
 * @type {[string, string][]}
 */
const ends = []

/** @param {[string, (() => Promise<Result[]>)[]]} lane */
async function runLane([name, parts]) {
  const results = []
  for (const work of parts) results.push(...(await part(work)))
  ends.push([`lane ${name} ended after`, duration(Date.now() - began)])
  return results
}

const began = Date.now()
// First, since the lane of cargo's gates would hold it up.
const base = await part(async () => {
  await setup(['npm', 'bindgen'])
  return []
})
const results = [...base, ...(await Promise.all(Object.entries(LANES).map(runLane))).flat()]
const times = ended.map(([title, ms, cpu]) => [title, duration(ms), Math.round(cpu)])
const all = ended.reduce((seconds, [, , cpu]) => seconds + cpu, 0)
const rows = results.flatMap(({ row }) => (row === undefined ? [] : [row]))
console.log(`
${table([
  ['part', 'time', 'CPU s'],
  ...times,
  ...ends,
  ['all of it', duration(Date.now() - began), Math.round(all)],
])}

${suiteTable(rows)}

Gates and fuzz targets count when they fail, tests always.`)
const total = sum(results.map(({ counts }) => counts))
console.log(totalLine(total))
if (total.failed > 0) process.exitCode = 1
