#!/usr/bin/env node
/**
 * Tries to break it (`npm run soak`): prints what was tried, and what came of it.
 *
 *   node scripts/soak.mjs [--minutes 20] [--hours N] [--only name,…]
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

/**
 * @typedef {object} Trial
 * @property {string} title
 * @property {number} weight its part of the time, beside those of the others
 * @property {(seconds: number) => Promise<Said>} run
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
 * @param {{ command: string, args: string[], env?: Record<string, string> }} given
 * @returns {Promise<Said>}
 */
async function said(name, line, { command, args, env = {} }) {
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
    const output = await run(command, args, { env })
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

const VITEST = at('node_modules/vitest/vitest.mjs')
const SOAKED = /^soak ([\w ]+): (.*)$/gm
/** Changes of proofs and headers: tests of one program, two at a time. */
const CHANGED = { tests: 8, lanes: 2 }
/** About how long a node takes from one kill to the next, in seconds. */
const A_KILL = 2

/**
 * A test that searches for as long as it is told to.
 *
 * @param {string} name of the trial
 * @param {string} project
 * @param {string} file
 * @param {number} seconds
 */
async function searched(name, project, file, seconds) {
  await setup(['sdk', 'node'])
  return said(name, SOAKED, {
    command: 'node',
    args: [VITEST, 'run', '--project', project, file],
    env: { LIGHTPROOF_SOAK_SECONDS: `${seconds}`, LIGHTPROOF_NODE: nodeProgram() },
  })
}

/** @type {Record<string, Trial>} */
const TRIALS = {
  changed: {
    title: 'change honest proofs and headers',
    weight: 8,
    run: (seconds) => {
      const each = Math.ceil((seconds * CHANGED.lanes) / CHANGED.tests)
      const lanes = `--test-threads=${CHANGED.lanes}`
      return said('changed', SOAKED, {
        command: 'cargo',
        args: [
          'test',
          '--release',
          '--locked',
          ...['-p', 'lightproof-core', '--test', 'soak'],
          '--',
          lanes,
          '--nocapture',
        ],
        env: { LIGHTPROOF_SOAK_SECONDS: `${each}` },
      })
    },
  },
  network: {
    title: 'ask lying nodes over a bad network',
    weight: 3,
    run: (seconds) => searched('network', 'sdk', 'sdk/test/unit/network.test.ts', seconds),
  },
  clocks: {
    title: 'start light clients with wrong clocks',
    weight: 1,
    run: (seconds) => searched('clocks', 'vectors', 'sdk/test/vectors/clocks.test.ts', seconds),
  },
  load: {
    title: 'ask a node over 1, 64 and 512 connections while it makes blocks',
    weight: 3,
    run: (seconds) => searched('load', 'bench', 'bench/test/load.test.mjs', seconds),
  },
  long: {
    title: 'follow a chain with two committees a minute',
    weight: 3,
    run: (seconds) => searched('long', 'node', 'sdk/test/node/long.test.ts', seconds),
  },
  attacks: {
    title: 'every lie of a node and of a proxy, by name',
    // They take as long as they take.
    weight: 0,
    run: async () => {
      await setup(['sdk', 'node'])
      return said('attacks', /^((?:node|proxy) lies.*?): (\d+ lies.*)$/gm, {
        command: 'node',
        args: [VITEST, 'run', '--project', 'node', 'sdk/test/node/hostile.test.ts'],
        env: { LIGHTPROOF_NODE: nodeProgram() },
      })
    },
  },
  kills: {
    title: 'kill nodes by SIGKILL, and fill their disk',
    weight: 4,
    run: (seconds) => {
      const tests = 4
      const kills = Math.max(1, Math.floor(seconds / A_KILL / tests))
      const only = ['--test', 'node', '--test', 'follow', 'kill', '--', '--test-threads=1']
      return said('kills', /^(making|signing|push|following|full disk): (.*)$/gm, {
        command: 'cargo',
        args: [...CARGO_TEST, ...only, '--nocapture'],
        env: { LIGHTPROOF_KILLS: `${kills}` },
      })
    },
  },
  fuzz: {
    title: 'fuzz decoders and verifiers',
    weight: 5,
    run: async (seconds) => {
      const { count, crashed } = await fuzzTargets(seconds / 60)
      return { rows: [['fuzzing', `${count} targets, ${crashed} crashed`]], holds: crashed === 0 }
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
  const usage = `npm run soak [-- --minutes N | --hours N] [--only ${all.join(',')}]`
  const text = /** @type {const} */ ({ type: 'string' })
  const given = flags(usage, { minutes: text, hours: text, only: text })
  const minutes = Number(given.hours ?? Number.NaN) * 60 || Number(given.minutes ?? MINUTES)
  if (!(minutes > 0)) throw new Error(`usage: ${usage}`)
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
      () => trial.run(seconds),
      (result) => result.holds,
    )
    rows.push(...found)
    if (!holds) failed++
  }
  console.log(`\n${table([['what', 'what came of it'], ...rows])}\n`)
  console.log(`${names.length} trials, ${failed} failed (${duration(Date.now() - began)}).`)
  if (failed > 0) process.exitCode = 1
})
