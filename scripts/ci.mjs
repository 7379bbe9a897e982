/**
 * Everything: gates, fuzzer and tests, four parts at a time. `.ci/run` runs it; it ends in `N
 * passed, N failed` over all of it, where gates and fuzz targets count when they fail.
 */
import { checkRest, checkRust } from './check.mjs'
import { fuzzTargets } from './fuzz.mjs'
import { sum, totalLine } from './lib/counts.mjs'
import { duration, ended, printFailure } from './lib/steps.mjs'
import { table } from './lib/table.mjs'
import { setup } from './setup.mjs'
import { suiteTable, testSuite } from './test.mjs'

/** @typedef {import('./lib/counts.mjs').Counts} Counts */
/** @typedef {{ counts: Counts, row?: (string | number)[], failures?: string[] }} Result */

// Nothing is compiled twice here, so what cargo would keep for the next time costs only time.
process.env.CARGO_INCREMENTAL = '0'
// A panic names its line without it.
process.env.CARGO_PROFILE_DEV_DEBUG = '0'
// Crates in one piece: what is inlined or generic is not compiled once for each of 16. Other parts
// use the second processor.
process.env.CARGO_PROFILE_DEV_CODEGEN_UNITS = '1'

const FUZZ_MINUTES = Number(process.env.FUZZ_MINUTES ?? 1)

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

/** @param {string} name */
const suite = (name) => () => testSuite(name)

/**
 * The parts, in the order in which workers take them: what others wait for first, what is short
 * last, so that both processors have work until the end.
 *
 * @type {(() => Promise<Result[]>)[]}
 */
const PARTS = [
  async () => {
    await setup(['tests'])
    return []
  },
  async () => failures((await checkRest()).length),
  ...['sdk', 'scripts', 'vectors'].map(suite),
  // Needs nothing of the others, which wait for the first part.
  async () => failures((await fuzzTargets(FUZZ_MINUTES)).crashed),
  ...['rust', 'examples', 'node'].map(suite),
  async () => {
    // Clippy locks cargo's build directory, and the Rust tests would wait for it.
    await setup(['tests'])
    return failures((await checkRust()).length)
  },
  ...['geth', 'bench'].map(suite),
]

/** Twice the processors: with five, browsers are so slow that their tests fail. */
const WORKERS = 4

/**
 * When each worker had nothing left to take.
 *
 * @type {[string, string][]}
 */
const ends = []

/**
 * Runs parts until none is left; each result goes to its part's place.
 *
 * @param {{ index: number, run: () => Promise<Result[]> }[]} queue
 * @param {Result[][]} results
 */
async function worker(queue, results) {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    results[next.index] = await part(next.run)
  }
  ends.push(['a worker is done', duration(Date.now() - began)])
}

async function runParts() {
  const queue = PARTS.map((run, index) => ({ index, run }))
  /** @type {Result[][]} */
  const results = PARTS.map(() => [])
  await Promise.all(Array.from({ length: WORKERS }, () => worker(queue, results)))
  return results.flat()
}

const began = Date.now()
// First, since cargo's other commands would hold it up.
const base = await part(async () => {
  await setup(['npm', 'bindgen'])
  return []
})
const results = [...base, ...(await runParts())]
const times = ended.map(([title, ms, cpu]) => [title, duration(ms), Math.round(cpu)])
const all = ended.reduce((seconds, [, , cpu]) => seconds + cpu, 0)
const rows = results.flatMap(({ row }) => (row === undefined ? [] : [row]))
const told = results.flatMap((result) => result.failures ?? [])
console.log(`
${table([
  ['part', 'time', 'CPU s'],
  ...times,
  ...ends,
  ['all of it', duration(Date.now() - began), Math.round(all)],
])}

${suiteTable(rows, told)}

Gates and fuzz targets count when they fail, tests always.`)
const total = sum(results.map(({ counts }) => counts))
console.log(totalLine(total))
if (total.failed > 0) process.exitCode = 1
