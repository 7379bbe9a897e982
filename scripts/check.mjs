#!/usr/bin/env node
/**
 * Runs every gate (`npm run check`), each named with its time; all run even if one fails.
 *
 *   node scripts/check.mjs [--only rustfmt,clippy,…]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { UNTESTED } from './lib/cargo.mjs'
import { checkCrates } from './lib/deny.mjs'
import { findCircles } from './lib/gates/circles.mjs'
import { findNamedSystems } from './lib/gates/layers.mjs'
import { linksNowhere } from './lib/gates/links.mjs'
import { survivors } from './lib/gates/mutants.mjs'
import { differences } from './lib/gates/vectors.mjs'
import { versionMismatches } from './lib/gates/versions.mjs'
import { asProgram, flags, named } from './lib/program.mjs'
import { at, generatorProgram, readJson } from './lib/repo.mjs'
import { CommandError, probe, run } from './lib/run.mjs'
import { duration, printFailure, step } from './lib/steps.mjs'
import { differingModules } from './reproducible.mjs'
import { setup } from './setup.mjs'
import { staleLicences } from './thirdParty.mjs'

/** @typedef {(onLine: (line: string) => void) => Promise<unknown>} Work */

const TSCONFIGS = [
  '.',
  'sdk',
  'examples',
  'examples/browser-wallet',
  'examples/explorer',
  'examples/extension',
  'bench',
]

/**
 * A gate that is a command.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Work}
 */
function command(command, args, env = {}) {
  return (onLine) => run(command, args, { env, onLine })
}

/** @param {string} name of a crate */
function rustdoc(name) {
  return command('cargo', ['doc', '--locked', '--no-deps', '-p', name], {
    RUSTDOCFLAGS: '-D warnings',
  })
}

/**
 * A gate that is a program of an npm package.
 *
 * @param {string} name
 * @param {string[]} args
 */
function npmBin(name, ...args) {
  return command(at('node_modules', '.bin', name), args)
}

/**
 * A gate that lists what is wrong.
 *
 * @param {(onLine: (line: string) => void) => string[] | Promise<string[]>} find
 * @returns {Work}
 */
function nothingFound(find) {
  return async (onLine) => {
    const found = await find(onLine)
    if (found.length > 0) throw new Error(found.map((line) => `    ${line}`).join('\n'))
  }
}

/**
 * In CI clippy has compiled every crate that has tests, so it runs here over the other ones alone.
 *
 * @type {Work}
 */
async function clippy(onLine) {
  const isLinted = process.env.CI === 'true'
  if (isLinted) await setup(['tests'])
  const crates = isLinted ? UNTESTED.flatMap((name) => ['-p', name]) : ['--workspace']
  const features = ['--all-targets', '--features=lightproof-wasm/evm', '--locked']
  return run('cargo', ['clippy', ...crates, ...features, '--', '-D', 'warnings'], { onLine })
}

/**
 * Gates that are cargo's.
 *
 * @type {Record<string, Work>}
 */
const RUST = {
  rustfmt: command('cargo', ['fmt', '--all', '--check']),
  clippy,
  // One by one: core's own documentation is of its usual features.
  'rustdoc (core)': rustdoc('lightproof-core'),
  'rustdoc (prover)': rustdoc('lightproof-prover'),
  crates: checkCrates,
  licences: nothingFound(staleLicences),
  vectors: nothingFound(freshVectors),
  mutants: nothingFound(survivors),
}

/**
 * Gates that need nothing built.
 *
 * @type {Record<string, Work>}
 */
const TEXT = {
  biome: npmBin('biome', 'ci', '--colors=off', '--error-on-warnings', '.'),
  versions: nothingFound(versionMismatches),
  circles: nothingFound(findCircles),
  layers: nothingFound(findNamedSystems),
  links: nothingFound(linksNowhere),
  'machine traces': nothingFound(machineTraces),
}

/**
 * Gates over what is built.
 *
 * @type {Record<string, Work>}
 */
const BUILT = {
  ...Object.fromEntries(
    TSCONFIGS.map((dir) => [`types (${dir})`, npmBin('tsc', '--noEmit', '--project', dir)]),
  ),
  knip: npmBin('knip'),
  publint: async (onLine) => {
    for (const dir of ['sdk', 'create']) await npmBin('publint', dir, '--strict')(onLine)
  },
  attw: checkTypesPack,
  size: checkSizes,
  // The smallest one, which shares the build and the libraries of all.
  reproducible: nothingFound((onLine) => differingModules(['mpt'], onLine)),
  // The site shows what it writes.
  typedoc: () => setup(['api']),
}
const GATES = { ...RUST, ...TEXT, ...BUILT }

/** Takes minutes to install: used where it is, named where it is not. */
const OPTIONAL = {
  'cargo-machete': ['machete'],
}

/** @type {Work} */
function checkTypesPack(onLine) {
  // A .wasm file has no types, and needs none: it is imported as a URL.
  const exported = Object.keys(readJson('sdk', 'package.json').exports)
  const wasm = exported.filter((name) => name.endsWith('.wasm')).map((name) => name.slice(2))
  const args = ['--pack', 'sdk', '--profile', 'esm-only', '--exclude-entrypoints', ...wasm]
  return npmBin('attw', ...args)(onLine)
}

/** @param {(line: string) => void} onLine */
async function checkSizes(onLine) {
  await run(process.execPath, [at('sdk', 'scripts', 'size.mjs')], { onLine })
  const sizes = await run(at('node_modules', '.bin', 'size-limit'), ['--json'], { onLine })
  for (const { name, size, sizeLimit } of JSON.parse(sizes)) {
    console.log(`    ${name}: ${(size / 1000).toFixed(1)} of ${sizeLimit / 1000} kB`)
  }
}

async function freshVectors() {
  await setup(['generator'])
  const dir = mkdtempSync(path.join(tmpdir(), 'lightproof-vectors-'))
  try {
    await run(generatorProgram(), ['--out', dir])
    return differences(dir)
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/** Finds paths of home directories, and hosts of registries, in tracked files. */
async function machineTraces() {
  // Written so that they do not match themselves.
  const traces = String.raw`/(home|Users)/[A-Za-z][A-Za-z0-9._-]*/|/roo[t]/|registry\.(npmjs|yarnpkg)|(index|static)\.crates\.io|proxy\.golang\.org|artifactor[y]`
  try {
    return (await run('git', ['grep', '-InE', traces])).split('\n')
  } catch (error) {
    if (error instanceof CommandError && error.output === '') return []
    throw error
  }
}

/**
 * Runs one gate; true if it holds.
 *
 * @param {string} name
 * @param {Work} work
 */
async function holds(name, work) {
  try {
    await step(name, work)
    return true
  } catch (error) {
    printFailure(error)
    return false
  }
}

/**
 * Runs gates one after another and returns the names of those that fail.
 *
 * @param {Record<string, Work>} gates
 * @param {string[]} only
 */
async function failing(gates, only) {
  const failed = []
  for (const [name, work] of Object.entries(gates)) {
    if (only.includes(name) && !(await holds(name, work))) failed.push(name)
  }
  return failed
}

/**
 * Runs cargo's gates.
 *
 * @param {string[]} [only]
 */
export async function checkRust(only = Object.keys(GATES)) {
  await setup(['rust'])
  const failed = await failing(RUST, only)
  for (const [tool, args] of Object.entries(OPTIONAL)) {
    if (probe(tool, ['--version']) === undefined)
      console.log(`  - ${tool}: not installed, left out`)
    else if (!(await holds(tool, command('cargo', args)))) failed.push(tool)
  }
  return failed
}

/** @param {string[]} only */
function needsBuild(only) {
  return Object.keys(BUILT).some((name) => only.includes(name))
}

/**
 * Runs the other gates.
 *
 * @param {string[]} [only]
 */
export async function checkRest(only = Object.keys(GATES)) {
  await setup(['npm'])
  const failed = await failing(TEXT, only)
  if (!needsBuild(only)) return failed
  await setup(['sdk'])
  return [...failed, ...(await failing(BUILT, only))]
}

await asProgram(import.meta.url, async () => {
  const usage = `npm run check [-- --only "${Object.keys(GATES).join(',')}"]`
  const { only } = flags(usage, { only: { type: 'string' } })
  const names = named(only, Object.keys(GATES), usage)
  const began = Date.now()
  // First, since cargo's gates would hold it up.
  if (needsBuild(names)) await setup(['npm', 'bindgen'])
  const failed = (await Promise.all([checkRust(names), checkRest(names)])).flat()
  const time = duration(Date.now() - began)
  if (failed.length === 0) console.log(`\nAll ${names.length} gates hold (${time}).`)
  else console.log(`\nFailed: ${failed.join(', ')} (${time}).`)
  if (failed.length > 0) process.exitCode = 1
})
