#!/usr/bin/env node
/**
 * Runs every test (`npm test`): Rust, SDK, live nodes, browser engines. Ends with `N passed, N failed` alone on a line.
 *
 *   node scripts/test.mjs [--suite rust,sdk,…]
 *
 * A suite whose tool is missing is named and skipped; with CI=true it fails.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { aptPackages, findEngines } from './engines/find.mjs'
import { cargoCounts, skips, sum, totalLine, vitestCounts } from './lib/counts.mjs'
import { canInstall, install } from './lib/debian.mjs'
import { buildGeth, findGeth, gethObstacle } from './lib/geth.mjs'
import { at, nodeProgram, root } from './lib/repo.mjs'
import { CommandError, run } from './lib/run.mjs'
import { duration, printFailure, step } from './lib/steps.mjs'
import { table } from './lib/table.mjs'
import { saveCounts } from './lib/totals.mjs'
import { setup } from './setup.mjs'

/** @typedef {import('./lib/counts.mjs').Counts} Counts */
/** @typedef {{ output: string, counts: Counts }} Outcome */

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {string} title
 * @property {string[]} needs pieces of set-up
 * @property {() => Promise<string | undefined>} [prepare] installs tools; the reason if the suite cannot run
 * @property {(onLine: (line: string) => void) => Promise<Outcome>} run
 */

const CI = process.env.CI === 'true'
const TIMEOUT_MS = 30 * 60_000
const OUT = at('.cache', 'test')
const VITEST = at('node_modules/vitest/vitest.mjs')

/** @type {Suite[]} */
const SUITES = [
  {
    name: 'rust',
    title: 'Rust: core, bindings, prover, reference vectors',
    needs: ['rust'],
    run: cargoTest,
  },
  { name: 'scripts', title: 'scripts', needs: ['npm'], run: vitest('scripts') },
  { name: 'sdk', title: 'SDK', needs: ['sdk'], run: vitest('sdk') },
  {
    name: 'vectors',
    title: 'test vectors, shipped wasm in Node',
    needs: ['sdk'],
    run: vitest('vectors'),
  },
  {
    name: 'node',
    title: 'live full node, honest and lying',
    needs: ['sdk', 'node'],
    run: vitest('node'),
  },
  {
    name: 'geth',
    title: 'live geth',
    needs: ['sdk', 'node'],
    prepare: prepareGeth,
    run: vitest('geth'),
  },
  {
    name: 'bench',
    title: 'benchmarks compile and agree',
    needs: ['sdk', 'node'],
    run: vitest('bench'),
  },
  {
    name: 'examples',
    title: 'examples and vectors in Chromium, Firefox, WebKit',
    needs: ['examples', 'node'],
    prepare: prepareEngines,
    run: vitest('examples', ['--config', 'examples/vitest.config.ts']),
  },
]

/**
 * Runs a command, keeping its output whether it succeeds or not.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {(line: string) => void} onLine
 */
async function attempt(command, args, onLine) {
  const env = { LIGHTPROOF_NODE: nodeProgram(), LIGHTPROOF_GETH: findGeth() }
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
  const packages = ['--workspace', '--exclude', 'lightproof-no-std-check']
  const args = ['test', ...packages, '--locked', '--no-fail-fast']
  const { ok, output } = await attempt('cargo', args, onLine)
  return { output, counts: cargoCounts(output, ok) }
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
    return { output, counts: vitestCounts(result, ok) }
  }
}

async function prepareGeth() {
  if (findGeth()) return undefined
  const obstacle = gethObstacle()
  if (obstacle) return obstacle
  await step('build geth (once)', buildGeth)
  return findGeth() ? undefined : 'geth was built, but does not run'
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
 * @returns {Promise<{ counts: Counts, note: string }>}
 */
async function runSuite(suite) {
  try {
    await setup(suite.needs)
    const reason = await suite.prepare?.()
    if (reason !== undefined) {
      console.log(`  ${CI ? '✗' : '-'} ${suite.title}: ${reason}`)
      const counts = { passed: 0, failed: CI ? 1 : 0, skipped: CI ? 0 : 1 }
      return { counts, note: `${CI ? 'missing' : 'skipped'}: ${reason}` }
    }
    const outcome = await step(suite.title, suite.run, ({ counts }) => counts.failed === 0)
    writeFileSync(path.join(OUT, `${suite.name}.log`), outcome.output)
    if (outcome.counts.failed === 0) {
      return { counts: outcome.counts, note: skips(outcome.output).join('; ') }
    }
    const log = path.relative(root, path.join(OUT, `${suite.name}.log`))
    printFailure(new CommandError(suite.title, `${outcome.counts.failed} failed`, outcome.output))
    return { counts: outcome.counts, note: `see ${log}` }
  } catch (error) {
    printFailure(error)
    return { counts: { passed: 0, failed: 1, skipped: 0 }, note: 'could not be run' }
  }
}

/** @param {string[]} args */
function parseSuites(args) {
  if (args.length === 0) return SUITES
  const [flag, list, ...rest] = args
  const names = list?.split(',') ?? []
  const chosen = SUITES.filter(({ name }) => names.includes(name))
  if (
    flag !== '--suite' ||
    rest.length > 0 ||
    chosen.length === 0 ||
    chosen.length !== names.length
  ) {
    throw new Error(`usage: npm test [-- --suite ${SUITES.map(({ name }) => name).join(',')}]`)
  }
  return chosen
}

async function main() {
  const suites = parseSuites(process.argv.slice(2))
  const began = Date.now()
  mkdirSync(OUT, { recursive: true })
  /** @type {(string | number)[][]} */
  const rows = [['suite', 'passed', 'failed', 'skipped', 'time', 'note']]
  const all = []
  for (const suite of suites) {
    const suiteBegan = Date.now()
    const { counts, note } = await runSuite(suite)
    all.push(counts)
    const time = duration(Date.now() - suiteBegan)
    rows.push([suite.name, counts.passed, counts.failed, counts.skipped, time, note])
  }
  console.log(`\n${table(rows)}\n\n  Total time ${duration(Date.now() - began)}.\n`)
  const total = sum(all)
  saveCounts('test', total)
  console.log(totalLine(total))
  if (total.failed > 0) process.exitCode = 1
}

main().catch((error) => {
  printFailure(error)
  process.exitCode = 1
})
