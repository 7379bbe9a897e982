#!/usr/bin/env node
/**
 * Runs every test (`npm test`): Rust, SDK, live nodes, browser engines. Ends with
 * `N passed, N failed` alone on a line.
 *
 *   node scripts/test.mjs [--suite rust,sdk,…]
 *
 * A suite whose tool is missing is named and skipped; with CI=true it fails.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { aptPackages, findEngines } from './engines/find.mjs'
import { CARGO_TEST, COMPILER } from './lib/cargo.mjs'
import { cargoCounts, skips, sum, totalLine, vitestCounts } from './lib/counts.mjs'
import { canInstall, install } from './lib/debian.mjs'
import { cargoFailures, vitestFailures } from './lib/failures.mjs'
import { buildGeth, findGeth, gethObstacle } from './lib/geth.mjs'
import { asProgram, flags, named } from './lib/program.mjs'
import { at, nodeProgram, root } from './lib/repo.mjs'
import { CommandError, run } from './lib/run.mjs'
import { buildS3, findS3, s3Obstacle } from './lib/s3.mjs'
import { duration, printFailure, step } from './lib/steps.mjs'
import { table } from './lib/table.mjs'
import { setup } from './setup.mjs'

/** @typedef {import('./lib/counts.mjs').Counts} Counts */
/** @typedef {{ output: string, counts: Counts, failures: string[] }} Outcome */

/** @typedef {(string | number)[]} Row name, passed, failed, skipped, time, note */

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {string} title
 * @property {keyof typeof LANES} lane
 * @property {string[]} needs pieces of set-up
 * @property {() => Promise<string | undefined>} [prepare] installs tools, beside set-up; the reason if the suite cannot run
 * @property {(onLine: (line: string) => void) => Promise<Outcome>} run
 */

const CI = process.env.CI === 'true'
/** Only a fault takes this long, also where lanes share two processors. */
const TIMEOUT_MS = 60 * 60_000
const OUT = at('.cache', 'test')
const VITEST = at('node_modules/vitest/vitest.mjs')

/**
 * Suites of one lane run one after another, lanes beside each other: live ones wait for processes
 * more than they compute.
 */
const LANES = { rust: 'cargo', node: 'Node.js', engines: 'browsers' }

/** @type {Suite[]} */
const SUITES = [
  {
    name: 'rust',
    title: 'Rust: core, prover, node, reference vectors',
    lane: 'rust',
    needs: ['tests'],
    // Its tests beside geth, and those on a server of S3, say so where that is missing; everything
    // else runs.
    prepare: async () => {
      await Promise.all([prepareGeth(), prepareS3()])
      return undefined
    },
    run: cargoTest,
  },
  { name: 'scripts', title: 'scripts', lane: 'node', needs: ['sdk'], run: vitest('scripts') },
  { name: 'sdk', title: 'SDK, unit tests', lane: 'node', needs: ['sdk'], run: vitest('sdk') },
  {
    name: 'vectors',
    title: 'test vectors, shipped wasm in Node',
    lane: 'node',
    needs: ['sdk'],
    run: vitest('vectors'),
  },
  {
    name: 'node',
    title: 'live full node, honest and lying',
    lane: 'node',
    needs: ['sdk', 'node'],
    // Its tests of a cache are skipped where that is missing; everything else runs.
    prepare: async () => {
      await prepareCache()
      return undefined
    },
    run: vitest('node'),
  },
  {
    name: 'examples',
    title: 'examples and vectors in Chromium, Firefox, WebKit',
    lane: 'engines',
    // Not the examples: the suite builds them itself.
    needs: ['sdk', 'api', 'node'],
    prepare: prepareEngines,
    run: vitest('examples', ['--config', 'examples/vitest.config.ts']),
  },
  {
    name: 'geth',
    title: 'live geth',
    lane: 'engines',
    // tests: the node with cargo's feature `ethereum` is one of the programs that they compile.
    needs: ['tests', 'sdk', 'node'],
    // A recipe of the guide for operators is skipped where S3 or nginx is missing.
    prepare: async () => {
      const [reason] = await Promise.all([prepareGeth(), prepareS3(), prepareCache()])
      return reason
    },
    run: vitest('geth'),
  },
  {
    name: 'bench',
    title: 'benchmarks compile and agree',
    // Last of the lane that has least to do; it runs what is compiled with the Rust tests.
    lane: 'engines',
    needs: ['tests', 'sdk', 'node'],
    prepare: async () => {
      await Promise.all([prepareGeth(), prepareS3()])
      return undefined
    },
    run: vitest('bench'),
  },
]

/**
 * Runs a command, keeping its output whether it succeeds or not.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {(line: string) => void} onLine
 * @param {NodeJS.ProcessEnv} [more] of the environment
 */
async function attempt(command, args, onLine, more = {}) {
  const env = {
    ...more,
    LIGHTPROOF_NODE: nodeProgram(),
    LIGHTPROOF_GETH: findGeth(),
    LIGHTPROOF_S3_SERVER: findS3(),
  }
  try {
    return { ok: true, output: await run(command, args, { env, onLine, timeoutMs: TIMEOUT_MS }) }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return { ok: false, output: `${error.output}\n${error.message}` }
  }
}

/**
 * @param {(line: string) => void} onLine
 * @returns {Promise<Outcome>}
 */
async function cargoTest(onLine) {
  const { ok, output } = await attempt('cargo', [...CARGO_TEST, '--no-fail-fast'], onLine, COMPILER)
  const counts = cargoCounts(output, ok)
  return { output, counts, failures: counts.failed > 0 ? cargoFailures(output) : [] }
}

/**
 * A vitest run: a project of the root configuration, or one with a configuration of its own.
 *
 * @param {string} name
 * @param {string[]} [select]
 */
function vitest(name, select = ['--project', name]) {
  return async (/** @type {(line: string) => void} */ onLine) => {
    const file = path.join(OUT, `${name}.json`)
    rmSync(file, { force: true })
    const report = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    const { ok, output } = await attempt('node', [VITEST, 'run', ...select, ...report], onLine)
    const result = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
    return { output, counts: vitestCounts(result, ok), failures: vitestFailures(result) }
  }
}

/** @type {Promise<string | undefined> | undefined} */
let geth

/** Once, for both lanes that use it. */
function prepareGeth() {
  geth ??= bringGeth()
  return geth
}

async function bringGeth() {
  if (findGeth()) return undefined
  const obstacle = gethObstacle()
  if (obstacle) return obstacle
  await step('build geth (once)', buildGeth)
  return findGeth() ? undefined : 'geth was built, but does not run'
}

/** @type {Promise<void> | undefined} */
let s3

/** Once, for both lanes that use it. */
function prepareS3() {
  s3 ??= bringS3()
  return s3
}

async function bringS3() {
  if (findS3()) return
  const obstacle = s3Obstacle()
  if (obstacle) console.log(`  The tests of object storage on S3 are skipped: ${obstacle}`)
  else await step('build versitygw (once)', buildS3)
}

async function prepareCache() {
  if (existsSync('/usr/sbin/nginx') || !canInstall()) return
  try {
    await step('install nginx (once)', (onLine) => install(['nginx-light'], onLine))
  } catch (error) {
    console.log(
      `  The tests of a cache are skipped: ${error instanceof Error ? error.message : error}`,
    )
  }
}

async function prepareEngines() {
  const missing = () => Object.values(findEngines()).filter(({ status }) => status === 'missing')
  if (missing().length > 0 && canInstall()) {
    await step('install browsers (once)', (onLine) => install([...aptPackages], onLine))
  }
  // The suite itself names and skips single engines; without any there is nothing to run.
  const lost = missing()
  const names = lost.map(({ engine }) => engine).join(', ')
  if (lost.length > 0)
    console.log(`  Not found: ${names}. Debian: apt-get install ${aptPackages.join(' ')}`)
  return undefined
}

/**
 * Runs one suite to its counts; never throws, so that the others still run.
 *
 * @param {Suite} suite
 * @returns {Promise<{ counts: Counts, note: string, failures: string[] }>}
 */
async function runSuite(suite) {
  try {
    // Downloads while others compile.
    const [reason] = await Promise.all([suite.prepare?.(), setup(suite.needs)])
    if (reason !== undefined) {
      console.log(`  ${CI ? '✗' : '-'} ${suite.title}: ${reason}`)
      const counts = { passed: 0, failed: CI ? 1 : 0, skipped: CI ? 0 : 1 }
      return { counts, note: `${CI ? 'missing' : 'skipped'}: ${reason}`, failures: [] }
    }
    const outcome = await step(suite.title, suite.run, ({ counts }) => counts.failed === 0)
    writeFileSync(path.join(OUT, `${suite.name}.log`), outcome.output)
    if (outcome.counts.failed === 0) {
      return { counts: outcome.counts, note: skips(outcome.output).join('; '), failures: [] }
    }
    const log = path.relative(root, path.join(OUT, `${suite.name}.log`))
    printFailure(new CommandError(suite.title, `${outcome.counts.failed} failed`, outcome.output))
    return { counts: outcome.counts, note: `see ${log}`, failures: outcome.failures }
  } catch (error) {
    printFailure(error)
    const counts = { passed: 0, failed: 1, skipped: 0 }
    return { counts, note: 'could not be run', failures: [] }
  }
}

/**
 * Runs suites, those of a lane one after another, and returns a row, counts and failures for each.
 *
 * @param {Suite[]} suites
 */
async function runLane(suites) {
  mkdirSync(OUT, { recursive: true })
  /** @type {{ row: Row, counts: Counts, failures: string[] }[]} */
  const results = []
  for (const suite of suites) {
    const began = Date.now()
    const { counts, note, failures } = await runSuite(suite)
    const { passed, failed, skipped } = counts
    const row = [suite.name, passed, failed, skipped, duration(Date.now() - began), note]
    results.push({ row, counts, failures })
  }
  return results
}

/**
 * Runs the suites of a lane, in their order.
 *
 * @param {keyof typeof LANES} lane
 * @param {Suite[]} suites
 */
function testLane(lane, suites) {
  return runLane(suites.filter((suite) => suite.lane === lane))
}

/**
 * Runs one suite.
 *
 * @param {string} name
 * @throws {Error} if there is none of that name
 */
export function testSuite(name) {
  const suites = SUITES.filter((suite) => suite.name === name)
  if (suites.length === 0) throw new Error(`no suite is called ${name}`)
  return runLane(suites)
}

/**
 * A table of suites, and below it what failed in them.
 *
 * @param {Row[]} rows
 * @param {string[]} failures
 */
export function suiteTable(rows, failures) {
  const suites = table([['suite', 'passed', 'failed', 'skipped', 'time', 'note'], ...rows])
  return [suites, ...failures].join('\n\n')
}

await asProgram(import.meta.url, async () => {
  const all = SUITES.map(({ name }) => name)
  const usage = `npm test [-- --suite ${all.join(',')}]`
  const { suite } = flags(usage, { suite: { type: 'string' } })
  const names = named(suite, all, usage)
  const suites = SUITES.filter(({ name }) => names.includes(name))
  const began = Date.now()
  // First, since cargo's tests would hold it up.
  if (suites.some(({ name }) => name !== 'rust')) await setup(['npm', 'bindgen'])
  const lanes = /** @type {(keyof typeof LANES)[]} */ (Object.keys(LANES))
  const results = (await Promise.all(lanes.map((lane) => testLane(lane, suites)))).flat()
  const rows = results.map(({ row }) => row)
  const failures = results.flatMap((result) => result.failures)
  console.log(`\n${suiteTable(rows, failures)}\n`)
  console.log(`  Total time ${duration(Date.now() - began)}.\n`)
  const total = sum(results.map(({ counts }) => counts))
  console.log(totalLine(total))
  if (total.failed > 0) process.exitCode = 1
})
