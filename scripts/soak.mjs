#!/usr/bin/env node
/**
 * Tries to break it (`npm run soak`): prints what was tried, and what came of it.
 *
 *   node scripts/soak.mjs [--minutes 20] [--hours N] [--only name,…] [--seed N]
 *
 * Searches begin at the seed that is given, or at one by chance, which the table names.
 *
 * Fails if anything false was accepted, anything acknowledged was lost, or anything crashed. What a
 * trial printed is kept in .cache/soak.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fuzzTargets } from './fuzz.mjs'
import { CARGO_TEST } from './lib/cargo.mjs'
import { compare, readLedger } from './lib/mutants.mjs'
import { asProgram, flags, named } from './lib/program.mjs'
import { at, nodeProgram, root } from './lib/repo.mjs'
import { CommandError, run } from './lib/run.mjs'
import { duration, printFailure, step } from './lib/steps.mjs'
import { table } from './lib/table.mjs'
import { setup } from './setup.mjs'

const MINUTES = 20
const OUT = at('.cache', 'soak')

/** First seeds are multiples of `LONGEST`, so that searches do not overlap; all are exact numbers. */
const SEARCHES = 2 ** 16
const LONGEST = 2 ** 36
let firstSeed = Math.floor(Math.random() * SEARCHES) * LONGEST

/**
 * What a search takes from its environment.
 *
 * @param {number} seconds
 */
function search(seconds) {
  return { LIGHTPROOF_SOAK_SECONDS: `${seconds}`, LIGHTPROOF_SOAK_SEED: `${firstSeed}` }
}

/** @typedef {(line: string) => void} OnLine shows the last line of what runs */

/**
 * @typedef {object} Trial
 * @property {string} title
 * @property {number} weight its part of the time, beside those of the others
 * @property {(seconds: number, onLine: OnLine) => Promise<Said>} run
 */

/**
 * @typedef {object} Said
 * @property {[what: string, said: string][]} rows
 * @property {boolean} holds
 */

/**
 * A command whose lines say what it tried.
 *
 * @param {string} name of the trial
 * @param {RegExp} line what was tried, and what came of it
 * @param {{ command: string, args: string[], env?: Record<string, string>, onLine: OnLine }} given
 * @returns {Promise<Said>}
 */
async function said(name, line, { command, args, env = {}, onLine }) {
  const again = [...Object.entries(env).map(([key, value]) => `${key}=${value}`), command, ...args]
  /** @type {(output: string) => [string, string][]} */
  const rowsOf = (output) =>
    [...output.matchAll(line)].map(([, what = '', text = '']) => [what, text.trim()])
  const keep = (/** @type {string} */ output) => {
    const file = path.join(OUT, `${name}.log`)
    writeFileSync(file, `${again.join(' ')}\n\n${output}`)
    return path.relative(root, file)
  }
  try {
    const output = await run(command, args, { env, onLine })
    keep(output)
    const rows = rowsOf(output)
    // What says nothing tried nothing.
    return rows.length > 0
      ? { rows, holds: true }
      : { rows: [[name, 'tried nothing']], holds: false }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    printFailure(error)
    const file = keep(`${error.output}\n${error.message}`)
    return { rows: [...rowsOf(error.output), [name, `FAILED, see ${file}`]], holds: false }
  }
}

/** Bytes of inputs that take a second to be tried in every place, and the most that are tried. */
const BYTES_A_SECOND = 5_000
const MOST_BYTES = 2 ** 22

const VITEST = at('node_modules/vitest/vitest.mjs')
const SOAKED = /^soak ([\w ]+): (.*)$/gm
const TOLD = /^((?:\w+ )?(?:node|proxy) lies.*?): (\d+ lies.*)$/gm
/** A test, as its program lists it. */
const IS_TEST = /: test$/gm
/** Tests of one program that run at a time. */
const LANES = 2
/** About how long a node takes from one kill to the next, in seconds. */
const A_KILL = 2

/**
 * A test that searches for as long as it is told to.
 *
 * @param {string} name of the trial
 * @param {string} project
 * @param {string} file
 * @returns {Trial['run']}
 */
function searched(name, project, file) {
  return async (seconds, onLine) => {
    await setup(['sdk', 'node'])
    return said(name, SOAKED, {
      command: 'node',
      args: [VITEST, 'run', '--project', project, file],
      env: {
        ...search(seconds),
        LIGHTPROOF_SOAK_BYTES: `${Math.min(MOST_BYTES, seconds * BYTES_A_SECOND)}`,
        LIGHTPROOF_NODE: nodeProgram(),
      },
      onLine,
    })
  }
}

/**
 * The same natively: each test has its part of the time.
 *
 * @param {string} name of the trial
 * @param {string[]} programs cargo's options that choose them
 * @param {string[]} filter of tests, as their programs take it
 * @returns {Trial['run']}
 */
function searchedNatively(name, programs, filter) {
  return async (seconds, onLine) => {
    const args = ['test', '--release', '--locked', ...programs, '--', ...filter]
    const tests = (await run('cargo', [...args, '--list'], { onLine })).match(IS_TEST) ?? []
    const each = Math.ceil((seconds * LANES) / tests.length)
    return said(name, SOAKED, {
      command: 'cargo',
      args: [...args, `--test-threads=${LANES}`, '--nocapture'],
      env: search(each),
      onLine,
    })
  }
}

/** Cargo's options for the tests that change honest proofs, and for those that make lies. */
const CHANGED = ['-p', 'lightproof-core', '--test', 'soak']
const ADVERSARIES = [...CHANGED, '-p', 'lightproof-prover', '--test', 'it']

/** @type {Record<string, Trial>} */
const TRIALS = {
  changed: {
    title: 'change honest proofs and headers',
    weight: 8,
    run: searchedNatively('changed', CHANGED, ['--skip', 'adversar']),
  },
  adversaries: {
    title: 'put proofs of small states together as adversaries like',
    weight: 3,
    run: searchedNatively('adversaries', ADVERSARIES, ['adversar']),
  },
  worst: {
    title: 'give modules inputs that were made to take much',
    weight: 3,
    run: searched('worst', 'vectors', 'sdk/test/vectors/memory.test.ts'),
  },
  network: {
    title: 'ask lying nodes over a bad network',
    weight: 3,
    run: searched('network', 'sdk', 'sdk/test/unit/network.test.ts'),
  },
  clocks: {
    title: 'start light clients with wrong clocks',
    weight: 1,
    run: searched('clocks', 'vectors', 'sdk/test/vectors/clocks.test.ts'),
  },
  load: {
    title: 'ask a node over 1, 64 and 512 connections while it makes blocks',
    weight: 3,
    run: searched('load', 'bench', 'bench/test/load.test.mjs'),
  },
  long: {
    title: 'follow a chain with two committees a minute',
    weight: 3,
    run: searched('long', 'node', 'sdk/test/node/long.test.ts'),
  },
  attacks: {
    title: 'every lie of a node, a proxy and a beacon node, in Node.js and in three engines',
    // They take as long as they take.
    weight: 0,
    run: async (seconds, onLine) => {
      await setup(['sdk', 'node'])
      const env = { ...search(seconds), LIGHTPROOF_NODE: nodeProgram() }
      const inNode = ['--project', 'node', 'sdk/test/node/hostile.test.ts']
      const ofBeacons = ['--project', 'vectors', 'sdk/test/vectors/hostileBeacon.test.ts']
      const inPages = ['--config', 'examples/vitest.config.ts', 'test/engines/lies.test.ts']
      const suites = { attacks: inNode, 'attacks-beacon': ofBeacons, 'attacks-pages': inPages }
      const all = { rows: /** @type {Said['rows']} */ ([]), holds: true }
      for (const [name, tests] of Object.entries(suites)) {
        const args = [VITEST, 'run', ...tests]
        const { rows, holds } = await said(name, TOLD, { command: 'node', args, env, onLine })
        all.rows.push(...rows)
        all.holds &&= holds
      }
      return all
    },
  },
  kills: {
    title: 'kill nodes by SIGKILL',
    weight: 4,
    run: async (seconds, onLine) => {
      const args = [...CARGO_TEST, '--test', 'node', '--test', 'follow', 'killed', '--']
      const tests = (await run('cargo', [...args, '--list'], { onLine })).match(IS_TEST) ?? []
      const kills = Math.max(1, Math.floor(seconds / A_KILL / tests.length))
      return said('kills', /(?:^|\.\.\. )([a-z][\w ]*): (\d+ kills, .*)$/gm, {
        command: 'cargo',
        args: [...args, '--test-threads=1', '--nocapture'],
        env: { LIGHTPROOF_KILLS: `${kills}` },
        onLine,
      })
    },
  },
  disk: {
    title: 'take disks away from nodes',
    weight: 2,
    run: (seconds, onLine) => {
      const only = ['--test', 'node', 'disk', '--', '--test-threads=1', '--nocapture']
      return said('disk', /(?:^|\.\.\. )(disk [\w ]+): (.*)$/gm, {
        command: 'cargo',
        args: [...CARGO_TEST, ...only],
        // Two tests, one after the other.
        env: { LIGHTPROOF_SOAK_SECONDS: `${Math.ceil(seconds / 2)}` },
        onLine,
      })
    },
  },
  fuzz: {
    title: 'fuzz decoders and verifiers',
    weight: 5,
    run: async (seconds) => {
      const { findings, crashed } = await fuzzTargets(seconds / 60)
      // Regions are edges of the control flow: libFuzzer's `cov`.
      const reached = findings.map(({ target, regions }) => `${target} ${regions}`).join(', ')
      const text = `${findings.length} targets, ${crashed} crashed; regions reached: ${reached}`
      return { rows: [['fuzzing', text]], holds: crashed === 0 }
    },
  },
  mutants: {
    title: 'read the ledger of mutants',
    weight: 0,
    run: async () => {
      const ledger = readLedger()
      const { changed, never } = compare(ledger)
      const runs = Object.values(ledger.files).flatMap(({ run: known }) => known ?? [])
      const sum = (/** @type {'tried' | 'killed' | 'equivalent'} */ of) =>
        runs.reduce((total, entry) => total + entry[of], 0)
      const survived = sum('tried') - sum('killed')
      const without = changed.length + never.length
      const text =
        `${sum('tried')} tried in ${runs.length} files, ${survived} survived, ` +
        `${sum('equivalent')} change nothing; ${without} files to try again (npm run mutants)`
      return { rows: [['mutants of checks', text]], holds: survived === 0 }
    },
  },
}

/**
 * The seconds of a trial: its part of all.
 *
 * @param {string[]} names
 * @param {string} name
 * @param {number} minutes
 */
function share(names, name, minutes) {
  const weights = names.reduce((sum, other) => sum + (TRIALS[other]?.weight ?? 0), 0)
  return Math.max(1, Math.round((minutes * 60 * (TRIALS[name]?.weight ?? 0)) / weights))
}

await asProgram(import.meta.url, async () => {
  const all = Object.keys(TRIALS)
  const usage = `npm run soak [-- --minutes N | --hours N] [--seed N] [--only ${all.join(',')}]`
  const text = /** @type {const} */ ({ type: 'string' })
  const given = flags(usage, { minutes: text, hours: text, only: text, seed: text })
  const minutes = Number(given.hours ?? Number.NaN) * 60 || Number(given.minutes ?? MINUTES)
  if (!(minutes > 0)) throw new Error(`usage: ${usage}`)
  if (given.seed !== undefined) firstSeed = Number(given.seed)
  if (!Number.isSafeInteger(firstSeed) || firstSeed < 0) throw new Error(`usage: ${usage}`)
  const names = named(given.only, all, usage)
  mkdirSync(OUT, { recursive: true })
  const began = Date.now()
  const rows = []
  let failed = 0
  // One after another: each has the machine to itself, and says how much it tried on it.
  for (const name of names) {
    const trial = TRIALS[name]
    if (trial === undefined) continue
    const seconds = share(names, name, minutes)
    const { rows: found, holds } = await step(
      trial.title,
      (onLine) => trial.run(seconds, onLine),
      (result) => result.holds,
    )
    rows.push(...found)
    if (!holds) failed++
  }
  console.log(`\n${table([['what', 'what came of it'], ...rows])}\n`)
  console.log(
    `${names.length} trials from seed ${firstSeed}, ${failed} failed (${duration(Date.now() - began)}).`,
  )
  if (failed > 0) process.exitCode = 1
})
