/**
 * Mutation testing of core: cargo-mutants on files that differ from what the ledger knows.
 *
 * The ledger, wasm/core/mutants.json, holds for every file the digest of its code and what its last
 * full run found. A clone knows no earlier commit to compare with, so this says what a change
 * touches. Sources are mutated in a copy of the tree.
 *
 * A file enters the ledger as run once all its mutants were tried and none survived; from then on
 * every change of it is tried.
 */
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { at, readJson, root } from './repo.mjs'
import { CommandError, OUT_OF_TIME, probe, run } from './run.mjs'
import { hashInputs } from './stamp.mjs'

const VERSION = '27.1.0'
const SOURCE = 'wasm/core/src'
const LEDGER = 'wasm/core/mutants.json'
/** What is mutated, below wasm/core/src. */
const EXAMINED = /^(system|body|algebra|wire|header|trie)(\/|\.rs$)|^proven(\/|\.rs$)/
/** What the copy needs to build core's tests, and to run them. */
const COPIED = [
  'wasm',
  'prover',
  'node',
  'test-vectors',
  '.cargo',
  'Cargo.toml',
  'Cargo.lock',
  'rust-toolchain.toml',
]
const COPY = at('.cache', 'mutants', 'tree')
const FOUND = at('.cache', 'mutants', 'found')
const SYSTEMS = readdirSync(at('wasm', 'core', 'src', 'system'))
  .filter((name) => name.endsWith('.rs'))
  .map((name) => name.slice(0, -'.rs'.length))
const PAIRING = ['balanceproofs', 'lvmt', 'verkle']
/**
 * Test programs of core that look at one system: `it` in a module of the system's name, `reference`
 * in worlds of its own.
 *
 * @type {Record<string, string[]>}
 */
const PROGRAMS = {
  balanceproofs: ['reference'],
  cole: ['it'],
  lmpt: ['it'],
  lvmt: ['it', 'reference'],
  verkle: ['it', 'reference'],
}
/** Modules of `it` that look at no system, body or header in particular. */
const GENERAL = [
  'boundaries',
  'differential',
  'inputs',
  'mutations',
  'no_panic',
  'properties',
  'registry',
]

/** Core is built in a third of the time, for tests that compute nothing. */
const UNOPTIMIZED = 'profile.dev.package.lightproof-core.opt-level=0'

const env = {
  PATH: `${at('.tools', 'bin')}${path.delimiter}${process.env.PATH}`,
  // A mutant differs from the one before in a line: built in a tenth of the time.
  CARGO_INCREMENTAL: '1',
  // Vectors fail at the first wrong answer.
  LIGHTPROOF_FIRST_COMPLAINT: '1',
}

/**
 * @typedef {object} Run A full run without survivors.
 * @property {string} date
 * @property {number} tried mutants that compile
 * @property {number} killed by a failing test, or one that ran out of time
 * @property {number} equivalent named in .cargo/mutants.toml
 */

/**
 * @typedef {object} Entry What is known of a file.
 * @property {string} digest SHA-256 of its lines that are no comments
 * @property {Run | null} run of that content; null if there was none of the file yet
 */

/** @typedef {{ files: Record<string, Entry> }} Ledger */

/**
 * @typedef {object} Finding What came of one file.
 * @property {string} file
 * @property {number} tried
 * @property {number} killed
 * @property {string[]} survivors
 * @property {number} left mutants that there was no time for
 */

/** Paths of all files that are mutated, from the repository's root. */
export function examined() {
  const all = readdirSync(at(SOURCE), { recursive: true }).map((name) =>
    String(name).split(path.sep).join('/'),
  )
  const sources = all.filter((name) => name.endsWith('.rs') && !name.endsWith('tests.rs'))
  return sources
    .filter((name) => EXAMINED.test(name))
    .map((name) => `${SOURCE}/${name}`)
    .sort()
}

/**
 * Of a file's code: lines of comments have no mutants.
 *
 * @param {string} file
 */
function digest(file) {
  const lines = readFileSync(at(file), 'utf8').split('\n')
  const code = lines.filter((line) => !/^\s*\/\//.test(line)).join('\n')
  return createHash('sha256').update(code).digest('hex')
}

/** @returns {Ledger} */
export function readLedger() {
  return existsSync(at(LEDGER)) ? readJson(LEDGER) : { files: {} }
}

/**
 * Files to try: new ones, and those that changed since their run. And files that were never run in
 * full.
 *
 * @param {Ledger} ledger
 */
export function compare(ledger) {
  const files = examined()
  const never = files.filter((file) => ledger.files[file]?.run === null)
  const known = files.filter((file) => ledger.files[file]?.digest === digest(file))
  const changed = files.filter((file) => !known.includes(file) && !never.includes(file))
  return { changed, never }
}

/**
 * Writes the ledger with what runs found.
 *
 * @param {Ledger} ledger
 * @param {Finding[]} findings
 */
export function writeLedger(ledger, findings) {
  const date = new Date().toISOString().slice(0, 10)
  /** @type {(file: string) => Entry} */
  const entry = (file) => {
    const found = findings.find((finding) => finding.file === file)
    if (found !== undefined && found.left === 0 && found.survivors.length === 0) {
      const { tried, killed } = found
      return { digest: digest(file), run: { date, tried, killed, equivalent: equivalent(file) } }
    }
    const known = ledger.files[file]
    return known?.run ? known : { digest: digest(file), run: null }
  }
  const files = Object.fromEntries(examined().map((file) => [file, entry(file)]))
  writeFileSync(at(LEDGER), `${JSON.stringify({ files }, undefined, 2)}\n`)
}

/** @param {string[]} args */
function list(...args) {
  const names = probe('cargo', ['mutants', '--list', ...args], env) ?? ''
  return names.split('\n').filter((name) => name !== '')
}

/**
 * How many of a file's mutants are named as equivalent.
 *
 * @param {string} file
 */
function equivalent(file) {
  return list('--no-config', '-f', file).length - list('-f', file).length
}

/**
 * Installs cargo-mutants into .tools/ unless it is there.
 *
 * @param {{ onLine?: (line: string) => void, timeoutMs?: number }} options
 */
export async function install(options) {
  if (probe('cargo-mutants', ['mutants', '--version'], env) !== undefined) return
  const args = ['install', '--locked', '--version', VERSION, '--root', '.tools', 'cargo-mutants']
  await run('cargo', args, options)
}

/** Copies what changed since the last time, so that cargo builds no more than that anew. */
function copy() {
  mkdirSync(COPY, { recursive: true })
  const stamps = path.join(COPY, '.stamps')
  /** @type {Record<string, string>} */
  const before = existsSync(stamps) ? JSON.parse(readFileSync(stamps, 'utf8')) : {}
  /** @type {Record<string, string>} */
  const now = {}
  for (const file of COPIED.flatMap((name) => below(name))) {
    now[file] = hashInputs([file], [])
    // A run that was ended left its mutant there.
    const mutated = file.startsWith(SOURCE)
    const same = before[file] === now[file] && existsSync(path.join(COPY, file))
    if (same && !(mutated && differs(file))) continue
    cpSync(at(file), path.join(COPY, file))
  }
  for (const file of Object.keys(before)) {
    if (!Object.hasOwn(now, file)) rmSync(path.join(COPY, file), { force: true })
  }
  writeFileSync(stamps, JSON.stringify(now))
}

/** @param {string} file */
function differs(file) {
  return !readFileSync(at(file)).equals(readFileSync(path.join(COPY, file)))
}

/**
 * Files of a directory, or the file itself.
 *
 * @param {string} name
 * @returns {string[]}
 */
function below(name) {
  const skip = /(^|\/)(target|node_modules|corpus|artifacts|coverage)(\/|$)/
  if (!existsSync(at(name))) return []
  try {
    const all = readdirSync(at(name), { recursive: true, withFileTypes: true })
    return all
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
      .filter((file) => !skip.test(file.split(path.sep).join('/')))
  } catch (error) {
    if (error.code !== 'ENOTDIR') throw error
    return [name]
  }
}

/**
 * Which of core's tests a file's mutants are tried on: a system's on those of the system, the rest
 * on all that it may concern. What only hashes is tried on a build that is not optimized. The program
 * that kills most of them is the first one: only its survivors are tried on all.
 *
 * @param {string} file
 */
export function testsOf(file) {
  const skip = (/** @type {string[]} */ names) => names.flatMap((name) => ['--skip', name])
  const without = (/** @type {string[]} */ names) =>
    skip(names.flatMap((name) => [`${name}::`, `${name}_made`]))
  const noHeaders = skip(['headers', 'light'])
  const noGeneral = skip(GENERAL.map((name) => `${name}::`))
  const test = (/** @type {string[]} */ names) => names.flatMap((name) => ['--test', name])
  const system = SYSTEMS.find((name) => new RegExp(`/system/${name}(/|\\.rs$)`).test(file))
  if (system !== undefined) {
    // A name skips every test whose name contains it: `mpt::` would skip those of lmpt.
    const others = SYSTEMS.filter((name) => !system.includes(name))
    return {
      name: system,
      first: test(['vectors']),
      programs: ['--lib', ...test(['vectors', ...(PROGRAMS[system] ?? [])])],
      skipped: [...without(others), ...noHeaders, ...noGeneral],
      computes: PAIRING.includes(system),
    }
  }
  if (/\/trie(\/|\.rs$)/.test(file)) {
    const [first, programs] = [test(['vectors']), ['--lib', ...test(['vectors'])]]
    const skipped = [...without(PAIRING), ...noHeaders]
    return { name: 'trie', first, programs, skipped, computes: false }
  }
  if (/\/header(\/|\.rs$)/.test(file)) {
    const [first, programs] = [test(['it']), ['--lib', ...test(['vectors', 'it'])]]
    const skipped = [...without(SYSTEMS), ...noGeneral]
    return { name: 'headers', first, programs, skipped, computes: true }
  }
  if (/\/body(\/|\.rs$)/.test(file)) {
    const [first, programs] = [test(['it']), ['--lib', ...test(['it', 'vectors'])]]
    const skipped = [...without(SYSTEMS), ...noHeaders, ...noGeneral]
    return { name: 'body', first, programs, skipped, computes: false }
  }
  if (file.endsWith('/proven.rs')) {
    const programs = test(['it'])
    return { name: 'proven', first: programs, programs, skipped: ['proven::'], computes: false }
  }
  const [first, programs] = [['--lib'], ['--lib', ...test(['vectors', 'it'])]]
  const others = GENERAL.filter((name) => name !== 'properties')
  const skipped = skip(others.map((name) => `${name}::`))
  return { name: 'all', first, programs, skipped, computes: true }
}

/**
 * Runs the mutants of some files on the same tests, until they are all done or the time is over.
 *
 * @param {string[]} files
 * @param {{ onLine?: (line: string) => void, timeoutMs?: number }} options
 * @returns {Promise<Finding[]>}
 * @throws {CommandError} if the tests fail without a mutant, or cannot be built.
 */
export async function mutate(files, options) {
  const until = Date.now() + (options.timeoutMs ?? 2 ** 31 - 1)
  const tests = testsOf(files[0] ?? '')
  copy()
  const found = await tryThem(files, tests, tests.first, [], options)
  const isDone = tests.first === tests.programs || found.missed.length === 0
  if (!isDone && Date.now() < until) {
    const rest = { ...options, timeoutMs: until - Date.now() }
    const again = await tryThem(files, tests, tests.programs, found.missed, rest)
    found.caught.push(...again.caught)
    found.missed = found.missed.filter((name) => !again.caught.includes(name))
  }
  return files.map((file) => {
    const of = (/** @type {string[]} */ names) =>
      [...new Set(names)].filter((each) => each.startsWith(`${file}:`))
    const [killed, survivors] = [of(found.caught).length, of(found.missed)]
    const tried = killed + survivors.length
    const left = list('-f', file).length - tried - of(found.unviable).length
    return { file, tried, killed, survivors, left }
  })
}

/**
 * Runs mutants on some programs: all of the files', or those that are named.
 *
 * @param {string[]} files
 * @param {ReturnType<typeof testsOf>} tests
 * @param {string[]} programs
 * @param {string[]} names
 * @param {{ onLine?: (line: string) => void, timeoutMs?: number }} options
 */
async function tryThem(files, { name, skipped, computes }, programs, names, options) {
  const out = path.join(FOUND, name)
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const args = [
    ...['mutants', '--in-place', '-d', COPY, '-p', 'lightproof-core', '-o', out, '--no-shuffle'],
    ...['--colors', 'never', '--caught', '--minimum-test-timeout', '120'],
    ...files.flatMap((file) => ['-f', file]),
    ...names.flatMap((each) => ['--re', `^${each.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')}$`]),
    ...(computes ? [] : ['--cargo-arg', `--config=${UNOPTIMIZED}`]),
    // Given behind `--`, they would be run alone, but all be built.
    ...programs.map((argument) => `--cargo-arg=${argument}`),
    ...['--', '--', ...skipped],
  ]
  const target = path.resolve(root, process.env.CARGO_TARGET_DIR ?? 'target')
  let error
  try {
    await run('cargo', args, { ...options, env: { ...env, CARGO_TARGET_DIR: target } })
  } catch (caught) {
    if (!(caught instanceof CommandError)) throw caught
    error = caught
  }
  const read = (/** @type {string} */ kind) => {
    const file = path.join(out, 'mutants.out', `${kind}.txt`)
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    return text.split('\n').filter((line) => line !== '')
  }
  const caught = [...read('caught'), ...read('timeout')]
  const [missed, unviable] = [read('missed'), read('unviable')]
  const isNone = caught.length + missed.length + unviable.length === 0
  if (isNone && error !== undefined && error.code !== OUT_OF_TIME) throw error
  return { caught, missed, unviable }
}
