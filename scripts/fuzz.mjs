#!/usr/bin/env node
/**
 * Fuzzes every decoder and verifier (`npm run fuzz`), all targets sharing the given minutes.
 *
 *   node scripts/fuzz.mjs [--minutes 8] [--target name,…] [--keep]
 *
 * A crash fails the run and says where its input is, and how to see it again. `--keep` adds what
 * was found to the repository: the inputs that reach new code become seeds, and the run a row of
 * wasm/core/fuzz/runs.json.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { keepInputs, keepRun } from './lib/fuzzRuns.mjs'
import { readRun } from './lib/libFuzzer.mjs'
import { asProgram, flags } from './lib/program.mjs'
import { at, root } from './lib/repo.mjs'
import { CommandError, probe, run } from './lib/run.mjs'
import { duration, printFailure, step } from './lib/steps.mjs'
import { table } from './lib/table.mjs'
import { setup } from './setup.mjs'

const DIR = 'wasm/core/fuzz'
const MINUTES = 8
const MIN_SECONDS = 5

/**
 * What cargo-fuzz sets: coverage for libFuzzer. No sanitizer: core has no unsafe code, the fuzzer
 * runs twice as fast, and the pinned compiler will do. Overflow checks stay on.
 */
const FLAGS = [
  '--cfg=fuzzing',
  '-Cdebug-assertions',
  '-Cpasses=sancov-module',
  ...['level=4', 'inline-8bit-counters', 'pc-table', 'trace-compares'].map(
    (option) => `-Cllvm-args=-sanitizer-coverage-${option}`,
  ),
]

/** Named, so that build scripts are not instrumented. */
function hostTriple() {
  const host = /^host: (.+)$/m.exec(probe('rustc', ['-vV']) ?? '')?.[1]
  if (host === undefined) throw new Error('rustc does not name its host')
  return host
}

/** Builds the program that has all targets, and returns its path. */
async function build() {
  const host = hostTriple()
  const args = ['build', '--locked', '--release', '--manifest-path', `${DIR}/Cargo.toml`]
  const env = { CARGO_ENCODED_RUSTFLAGS: FLAGS.join('\u001f'), CARGO_TARGET_DIR: at(DIR, 'target') }
  await step('build the fuzz targets', (onLine) =>
    run('cargo', [...args, '--target', host], { env, onLine }),
  )
  return at(DIR, 'target', host, 'release', 'lightproof-fuzz')
}

/**
 * @typedef {object} Finding What came of one target.
 * @property {string} target
 * @property {number} executions
 * @property {number} regions of the program that were reached, as libFuzzer counts them (`cov`)
 * @property {number} seeds
 * @property {string} [crash] what runs it again on the input that crashed it, or what else went wrong
 */

const NOTHING = { executions: 0, regions: 0 }

/**
 * Has the program write a target's seeds into its corpus, and returns their number.
 *
 * @param {string} program
 * @param {string} target
 * @param {string} corpus
 */
async function seed(program, target, corpus) {
  const env = { LIGHTPROOF_FUZZ: target, LIGHTPROOF_SEEDS: corpus }
  const [, count] = /^(\d+) seeds$/m.exec(await run(program, [], { env })) ?? []
  if (count === undefined) throw new Error(`${target}: no seeds were written`)
  return Number(count)
}

/**
 * Fuzzes one target for some seconds.
 *
 * @param {string} program
 * @param {string} target
 * @param {number} seconds
 * @returns {Promise<Finding>}
 */
async function fuzzOne(program, target, seconds) {
  const corpus = at(DIR, 'corpus', target)
  const seeds = await seed(program, target, corpus)
  const artifacts = at(DIR, 'artifacts', target)
  mkdirSync(artifacts, { recursive: true })
  const limits = [`-max_total_time=${seconds}`, '-timeout=10', '-rss_limit_mb=2048']
  const args = [...limits, '-print_final_stats=1', `-artifact_prefix=${artifacts}/`, corpus]
  try {
    const output = await run(program, args, { env: { LIGHTPROOF_FUZZ: target } })
    const result = readRun(output)
    if (result === undefined) return { target, ...NOTHING, seeds, crash: 'did not run' }
    return { target, ...result, seeds }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    printFailure(error)
    const [, artifact] = /Test unit written to (\S+)/.exec(error.output) ?? []
    if (artifact === undefined) return { target, ...NOTHING, seeds, crash: 'could not be run' }
    const again = `LIGHTPROOF_FUZZ=${target} ${path.relative(root, program)}`
    return { target, ...NOTHING, seeds, crash: `${again} ${path.relative(root, artifact)}` }
  }
}

/**
 * Writes down a target's run, and of what it found the inputs that reach code which the seeds and
 * smaller inputs do not.
 *
 * @param {string} program
 * @param {Finding} finding
 * @param {{ commit: string, seconds: number }} how it was made
 */
async function keep(program, { target, executions, regions }, how) {
  const seeds = at(DIR, 'corpus', `${target}.seeds`)
  rmSync(seeds, { recursive: true, force: true })
  await seed(program, target, seeds)
  const before = new Set(readdirSync(seeds))
  const corpus = at(DIR, 'corpus', target)
  await run(program, ['-merge=1', seeds, corpus], { env: { LIGHTPROOF_FUZZ: target } })
  const found = readdirSync(seeds).filter((name) => !before.has(name))
  const inputs = found.map((name) => readFileSync(path.join(seeds, name)))
  keepInputs(target, inputs)
  keepRun(target, { ...how, executions, regions })
}

/**
 * Fuzzes targets, as many at a time as there are processors.
 *
 * @param {string} program
 * @param {string[]} targets
 * @param {number} minutes
 * @param {boolean} isKept
 */
async function fuzzAll(program, targets, minutes, isKept) {
  const lanes = Math.min(targets.length, availableParallelism())
  const rounds = Math.ceil(targets.length / lanes)
  const seconds = Math.max(MIN_SECONDS, Math.floor((minutes * 60) / rounds))
  /** @type {Finding[]} */
  const findings = []
  const queue = [...targets]
  // Now, since a commit may be made while it runs.
  const commit = probe('git', ['rev-parse', '--short=12', 'HEAD']) ?? 'unknown'
  const lane = async () => {
    for (let target = queue.shift(); target !== undefined; target = queue.shift()) {
      const finding = await fuzzOne(program, target, seconds)
      findings.push(finding)
      if (isKept && finding.crash === undefined) {
        await keep(program, finding, { commit, seconds })
      }
    }
  }
  const title = `fuzz ${targets.length} targets, ${seconds} s each, ${lanes} at a time`
  const calm = () => findings.every(({ crash }) => crash === undefined)
  await step(title, () => Promise.all(Array.from({ length: lanes }, lane)), calm)
  return targets.flatMap((target) => findings.filter((finding) => finding.target === target))
}

/**
 * Fuzzes targets (default: all), prints a table of them, and returns what came of each.
 *
 * @param {number} minutes
 * @param {{ only?: string[] | undefined, isKept?: boolean }} [options]
 */
export async function fuzzTargets(minutes, { only, isKept = false } = {}) {
  await setup(['rust'])
  const program = await build()
  // It lists them where none is named, among warnings of the fuzzer.
  const listed = await run(program, [], { env: { LIGHTPROOF_FUZZ: '' } })
  const all = listed.split('\n').filter((line) => /^\w+$/.test(line))
  const unknown = only?.find((name) => !all.includes(name))
  if (unknown !== undefined)
    throw new Error(`no fuzz target ${unknown}; there are: ${all.join(', ')}`)
  const names = only ?? all
  const findings = await fuzzAll(program, names, minutes, isKept)
  const rows = findings.map(({ target, seeds, executions, regions, crash }) => [
    target,
    seeds,
    executions,
    regions,
    crash === undefined ? 'no crash' : `CRASH ${crash}`,
  ])
  console.log(`\n${table([['target', 'seeds', 'executions', 'regions', 'result'], ...rows])}\n`)
  const crashed = findings.filter(({ crash }) => crash !== undefined).length
  return { findings, crashed }
}

await asProgram(import.meta.url, async () => {
  const usage = 'npm run fuzz [-- --minutes N] [--target name,…] [--keep]'
  const {
    minutes: given,
    target,
    keep: isKept,
  } = flags(usage, {
    minutes: { type: 'string' },
    target: { type: 'string' },
    keep: { type: 'boolean' },
  })
  const minutes = Number(given ?? MINUTES)
  if (!(minutes > 0)) throw new Error(`usage: ${usage}`)
  const began = Date.now()
  const { findings, crashed } = await fuzzTargets(minutes, {
    only: target?.split(','),
    isKept: isKept === true,
  })
  console.log(`${findings.length} targets, ${crashed} crashed (${duration(Date.now() - began)}).`)
  if (crashed > 0) process.exitCode = 1
})
