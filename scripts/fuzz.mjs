#!/usr/bin/env node
/**
 * Fuzzes every decoder and verifier (`npm run fuzz`), all targets sharing the given minutes.
 *
 *   node scripts/fuzz.mjs [--minutes 8] [--target name,…]
 *
 * Installs the nightly toolchain and cargo-fuzz (into .tools/) if they are missing. A crash fails the run and says
 * where its input is.
 */
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { at, root } from './lib/repo.mjs'
import { CommandError, probe, run } from './lib/run.mjs'
import { seedCorpus } from './lib/seeds.mjs'
import { duration, printFailure, step } from './lib/steps.mjs'
import { table } from './lib/table.mjs'
import { saveCounts } from './lib/totals.mjs'
import { setup } from './setup.mjs'

const CARGO_FUZZ = '0.13.2'
const DIR = 'wasm/core/fuzz'
const MINUTES = 8
const MIN_SECONDS = 5

/** cargo-fuzz is found in .tools/ too, and finds the nightly compiler through rustup. */
const env = { PATH: `${at('.tools', 'bin')}${path.delimiter}${process.env.PATH}` }

/**
 * No sanitizer: core has no unsafe code, and the fuzzer runs twice as fast. Overflow checks stay on.
 *
 * @param {string} command
 * @param {string[]} args
 */
function fuzz(command, args = []) {
  const sanitizer = command === 'list' ? [] : ['--sanitizer', 'none']
  return ['+nightly', 'fuzz', command, '--fuzz-dir', DIR, ...sanitizer, ...args]
}

async function install() {
  if (probe('rustc', ['+nightly', '--version'], { RUSTUP_AUTO_INSTALL: '0' }) === undefined) {
    const args = ['toolchain', 'install', 'nightly', '--profile', 'minimal', '--no-self-update']
    await step('nightly Rust (once)', (onLine) => run('rustup', args, { onLine }))
  }
  if (probe('cargo-fuzz', ['--version'], env) === undefined) {
    const args = ['install', '--locked', '--version', CARGO_FUZZ, '--root', '.tools', 'cargo-fuzz']
    await step('cargo-fuzz (once)', (onLine) => run('cargo', args, { onLine }))
  }
}

/**
 * @typedef {object} Finding What came of one target.
 * @property {string} target
 * @property {number} executions
 * @property {number} seeds
 * @property {string} [crash] path of the input that crashed it, or what else went wrong
 */

/**
 * Fuzzes one target for some seconds.
 *
 * @param {string} target
 * @param {number} seconds
 * @returns {Promise<Finding>}
 */
async function fuzzOne(target, seconds) {
  const seeds = seedCorpus(target, at(DIR, 'corpus', target))
  const limits = [`-max_total_time=${seconds}`, '-timeout=10', '-rss_limit_mb=2048']
  const args = fuzz('run', [target, '--', ...limits, '-print_final_stats=1'])
  try {
    const output = await run('cargo', args, { env })
    const [, executions] = /stat::number_of_executed_units:\s*(\d+)/.exec(output) ?? []
    if (executions === undefined) return { target, executions: 0, seeds, crash: 'did not run' }
    return { target, executions: Number(executions), seeds }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    printFailure(error)
    const [, artifact] = /Test unit written to (\S+)/.exec(error.output) ?? []
    const crash = artifact === undefined ? 'could not be run' : path.relative(root, artifact)
    return { target, executions: 0, seeds, crash }
  }
}

/**
 * Fuzzes all targets, as many at a time as there are processors.
 *
 * @param {string[]} targets
 * @param {number} minutes
 */
async function fuzzAll(targets, minutes) {
  const lanes = Math.min(targets.length, availableParallelism())
  const rounds = Math.ceil(targets.length / lanes)
  const seconds = Math.max(MIN_SECONDS, Math.floor((minutes * 60) / rounds))
  /** @type {Finding[]} */
  const findings = []
  const queue = [...targets]
  const lane = async () => {
    for (let target = queue.shift(); target !== undefined; target = queue.shift()) {
      findings.push(await fuzzOne(target, seconds))
    }
  }
  const title = `fuzz ${targets.length} targets, ${seconds} s each, ${lanes} at a time`
  const calm = () => findings.every(({ crash }) => crash === undefined)
  await step(title, () => Promise.all(Array.from({ length: lanes }, lane)), calm)
  return targets.flatMap((target) => findings.filter((finding) => finding.target === target))
}

/** @param {string[]} args */
function parse(args) {
  const usage = new Error('usage: npm run fuzz [-- --minutes N] [--target name,…]')
  /** @type {{ minutes: number, only: string[] | undefined }} */
  const options = { minutes: MINUTES, only: undefined }
  for (let i = 0; i < args.length; i += 2) {
    const value = args[i + 1]
    if (value === undefined) throw usage
    if (args[i] === '--minutes' && Number(value) > 0) options.minutes = Number(value)
    else if (args[i] === '--target') options.only = value.split(',')
    else throw usage
  }
  return options
}

async function main() {
  const { minutes, only } = parse(process.argv.slice(2))
  const began = Date.now()
  await setup(['rust'])
  await install()
  const all = (await run('cargo', fuzz('list'), { env })).split('\n').filter((name) => name !== '')
  const unknown = only?.find((name) => !all.includes(name))
  if (unknown !== undefined)
    throw new Error(`no fuzz target ${unknown}; there are: ${all.join(', ')}`)
  await step('build the fuzz targets', (onLine) => run('cargo', fuzz('build'), { env, onLine }))

  const findings = await fuzzAll(only ?? all, minutes)
  const rows = findings.map(({ target, seeds, executions, crash }) => [
    target,
    seeds,
    executions,
    crash === undefined ? 'no crash' : `CRASH ${crash}`,
  ])
  console.log(`\n${table([['target', 'seeds', 'executions', 'result'], ...rows])}\n`)
  const crashes = findings.filter(({ crash }) => crash !== undefined).length
  saveCounts('fuzz', { passed: 0, failed: crashes, skipped: 0 })
  console.log(`${findings.length} targets, ${crashes} crashed (${duration(Date.now() - began)}).`)
  if (crashes > 0) process.exitCode = 1
}

main().catch((error) => {
  printFailure(error)
  process.exitCode = 1
})
