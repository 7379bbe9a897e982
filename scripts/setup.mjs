#!/usr/bin/env node
/**
 * Builds everything that the other commands need, each piece only when it is stale: no
 * dependencies, run by `npm start`, `npm test` and the rest, and safe to run at any time.
 *
 *   node scripts/setup.mjs [--only npm,rust,wasm,tests,node,tourNode,follower,storeNode,generator,sdk,api,examples]
 *
 * `wasm` is every module; `first` is those that the tour waits for.
 */
import { copyFileSync, existsSync } from 'node:fs'
import { CARGO_COMPILE, COMPILER } from './lib/cargo.mjs'
import { asProgram, flags, named } from './lib/program.mjs'
import {
  at,
  debugProgram,
  followerProgram,
  generatorProgram,
  nodeProgram,
  storeProgram,
  tourProgram,
  workspaces,
} from './lib/repo.mjs'
import { run } from './lib/run.mjs'
import { hashInputs, isCurrent, mark, withLock } from './lib/stamp.mjs'
import { duration, step } from './lib/steps.mjs'
import { hasWasmTarget, missingTools, rustChannel } from './lib/tools.mjs'

export const WASM_OPT = 'node_modules/binaryen/bin/wasm-opt'
export const GENERATED = 'sdk/src/generated'
const GENERATOR = 'test-vectors/generator'
const NODE = ['-p', 'lightproof-node']
/**
 * One command for both compiles what they share once: apart, cargo chooses other features for it.
 */
const PROGRAMS = [...NODE, '-p', 'lightproof-generator']
const CARGO = ['Cargo.toml', 'Cargo.lock', 'rust-toolchain.toml']
const CURVES = ['wasm/bls12-381', 'wasm/bn254', 'wasm/limbs']
const CORE = ['wasm/core/Cargo.toml', 'wasm/core/src', 'wasm/hash', ...CURVES]
const EVM = ['wasm/evm/Cargo.toml', 'wasm/evm/src']
const PROVER = [...CORE, 'prover/Cargo.toml', 'prover/src']
const SDK = [
  'sdk/package.json',
  'sdk/tsconfig.build.json',
  'sdk/src',
  'sdk/scripts',
  'tsconfig.base.json',
]

/** What pages load to verify, and what they load beside it to show each step of a check. */
const MODULES = ['mpt', 'hash', 'bn254', 'bls12_381', 'light']
const LATER = ['evm', 'trace_hash', 'trace_bn254', 'trace_bls12_381']
/** Every module that is shipped. */
export const SHIPPED = [...MODULES, ...LATER]
const BINDINGS = [...CARGO, ...CORE, ...EVM, 'wasm/bindings', 'wasm/bindgen', 'package-lock.json']

const generated = (/** @type {string[]} */ names) =>
  names.flatMap((name) =>
    [`${name}.js`, `${name}.d.ts`, `${name}_bg.wasm`].map((file) => at(GENERATED, file)),
  )
const bindgen = () => debugProgram('lightproof-bindgen')

const buildable = () => workspaces().filter(({ manifest }) => manifest.scripts?.build)
const examples = () => buildable().filter(({ dir }) => dir !== 'sdk')

/** @typedef {(line: string) => void} OnLine */

/**
 * @typedef {object} Piece
 * @property {string} title
 * @property {string[]} needs pieces to build first
 * @property {() => string[]} [inputs] files and directories; a change of their content makes the piece stale
 * @property {() => string[]} [outputs] absolute paths; the piece is stale if one is not there
 * @property {() => boolean} [current] replaces inputs and outputs
 * @property {(onLine: OnLine) => Promise<unknown>} build
 */

/**
 * @param {string} title
 * @param {string[]} names of modules
 * @param {string[]} needs
 * @returns {Piece}
 */
function wasm(title, names, needs) {
  return {
    title,
    needs,
    inputs: () => BINDINGS,
    outputs: () => generated(names),
    build: (onLine) => run(bindgen(), [GENERATED, WASM_OPT, ...names], { onLine }),
  }
}

/** @param {string[]} args */
function cargoBuild(...args) {
  return (/** @type {OnLine} */ onLine) => run('cargo', ['build', '--locked', ...args], { onLine })
}

/**
 * Builds the full node with a feature of cargo's, as a program of its own.
 *
 * @param {string} feature
 * @param {string} program
 */
function buildWith(feature, program) {
  return async (/** @type {OnLine} */ onLine) => {
    await cargoBuild('--release', ...NODE, '--features', feature)(onLine)
    // cargo gives all of them the same name.
    copyFileSync(nodeProgram(), program)
  }
}

/**
 * A program of the release profile; in CI the one that is compiled with the Rust tests.
 *
 * @param {Omit<Piece, 'needs'>} piece
 * @returns {Piece}
 */
function released(piece) {
  if (process.env.CI !== 'true') return { ...piece, needs: ['rust'] }
  return { title: piece.title, needs: ['tests'], current: () => true, build: piece.build }
}

/** @type {Record<string, Piece>} */
const PIECES = {
  npm: {
    title: 'npm packages',
    needs: [],
    inputs: () => ['package-lock.json'],
    outputs: () => [at('node_modules/.package-lock.json')],
    build: (onLine) => run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], { onLine }),
  },
  rust: {
    title: `Rust ${rustChannel()} with wasm32`,
    needs: [],
    current: hasWasmTarget,
    build: installRust,
  },
  bindgen: {
    title: 'builder of the WebAssembly modules',
    needs: ['rust'],
    inputs: () => [...CARGO, 'wasm/bindgen'],
    outputs: () => [bindgen()],
    build: cargoBuild('-p', 'lightproof-bindgen'),
  },
  first: wasm('WebAssembly modules', MODULES, ['npm', 'bindgen']),
  // After the others, which the tour waits for.
  later: wasm('WebAssembly modules of calls and of traces', LATER, ['first']),
  wasm: {
    title: 'every WebAssembly module',
    needs: ['later'],
    current: () => true,
    build: async () => {},
  },
  tests: {
    title: 'compile the Rust tests and benchmarks',
    needs: ['rust'],
    inputs: () => [...CARGO, 'wasm', 'prover', 'node', GENERATOR],
    outputs: () => ['lightproof-node', 'lightproof-generator'].map(debugProgram),
    build: (onLine) => run('cargo', CARGO_COMPILE, { env: COMPILER, onLine }),
  },
  node: released({
    title: 'full node (release)',
    inputs: () => [...CARGO, ...PROVER, 'node/Cargo.toml', 'node/src'],
    outputs: () => [nodeProgram()],
    build: cargoBuild('--release', ...NODE),
  }),
  tourNode: {
    title: 'full node (for the tour)',
    needs: ['rust'],
    inputs: () => [...CARGO, ...PROVER, 'node/Cargo.toml', 'node/src'],
    outputs: () => [tourProgram()],
    build: cargoBuild('--profile', 'tour', ...NODE),
  },
  follower: released({
    title: 'full node that follows Ethereum (release)',
    inputs: () => [...CARGO, ...PROVER, ...EVM, 'node/Cargo.toml', 'node/src', 'node/ethereum'],
    outputs: () => [followerProgram()],
    build: buildWith('ethereum', followerProgram()),
  }),
  storeNode: released({
    title: 'full node on object storage (release)',
    inputs: () => [...CARGO, ...PROVER, 'node/Cargo.toml', 'node/src'],
    outputs: () => [storeProgram()],
    build: buildWith('object-store,jemalloc', storeProgram()),
  }),
  generator: released({
    title: 'generator of the test vectors (release)',
    inputs: () => [...CARGO, ...PROVER, `${GENERATOR}/Cargo.toml`, `${GENERATOR}/src`],
    outputs: () => [generatorProgram()],
    build: cargoBuild('--release', ...PROGRAMS),
  }),
  tour: {
    title: 'SDK, without its types, calls and traces',
    needs: ['first'],
    current: () => !stale('sdk'),
    build: (onLine) =>
      run('npm', ['run', 'build', '-w', 'lightproof', '--', '--quick'], { onLine }),
  },
  sdk: {
    title: 'SDK',
    needs: ['wasm'],
    inputs: () => SDK,
    outputs: () => [at('sdk/dist/entry/node.js'), at('sdk/dist/entry/index.d.ts')],
    build: (onLine) => run('npm', ['run', 'build', '-w', 'lightproof'], { onLine }),
  },
  api: {
    title: 'reference of the SDK',
    needs: ['sdk'],
    inputs: () => [...SDK, 'typedoc.json', 'docs/public'],
    outputs: () => [at('.cache/typedoc/index.html')],
    build: (onLine) => run(at('node_modules', '.bin', 'typedoc'), [], { onLine }),
  },
  examples: {
    title: 'examples',
    needs: ['sdk'],
    inputs: () => ['examples', ...SDK],
    outputs: () => examples().map(({ dir }) => at(dir, 'dist')),
    build: async (onLine) => {
      for (const { manifest } of examples()) {
        await run('npm', ['run', 'build', '-w', manifest.name], { onLine })
      }
    },
  },
}

/** @param {OnLine} onLine */
async function installRust(onLine) {
  const args = ['toolchain', 'install', rustChannel(), '--profile', 'minimal']
  const parts = ['--component', 'rustfmt,clippy', '--target', 'wasm32-unknown-unknown']
  await run('rustup', [...args, ...parts, '--no-self-update'], { onLine })
}

/** @param {string} name */
function pieceOf(name) {
  const piece = PIECES[name]
  if (piece === undefined) throw new Error(`set-up has no piece ${name}`)
  return piece
}

/** @param {Piece} piece */
function hashOf(piece) {
  return hashInputs(piece.inputs?.() ?? [], [process.version])
}

/** @param {string} name */
function stale(name) {
  const piece = pieceOf(name)
  if (piece.current) return !piece.current()
  return !isCurrent(name, hashOf(piece), piece.outputs?.() ?? [])
}

/**
 * True if the piece or one that it needs is stale.
 *
 * @param {string} name
 * @returns {boolean}
 */
function outdated(name) {
  return stale(name) || pieceOf(name).needs.some(outdated)
}

/**
 * What this process has built or is building.
 *
 * @type {Map<string, Promise<void>>}
 */
const built = new Map()

/**
 * Builds a piece after those that it needs, once in a process.
 *
 * @param {string} name
 * @returns {Promise<void>}
 */
function bring(name) {
  const before = built.get(name)
  if (before !== undefined) return before
  const now = build(name)
  built.set(name, now)
  return now
}

/** @param {string} name */
async function build(name) {
  const piece = pieceOf(name)
  await Promise.all(piece.needs.map(bring))
  if (!stale(name)) return
  const hash = hashOf(piece)
  await step(piece.title, piece.build)
  const lost = (piece.outputs?.() ?? []).filter((file) => !existsSync(file))
  if (lost.length > 0) throw new Error(`${piece.title}: not built: ${lost.join(', ')}`)
  if (piece.inputs) mark(name, hash)
}

/**
 * Brings the named pieces (default: all but the tour's) and what they need up to date; those that
 * do not need each other are built at once.
 *
 * @param {string[]} [names]
 * @throws {Error} naming what to install when a tool is missing, or the command that failed.
 */
export async function setup(names = ['node', 'examples']) {
  if (!names.some(outdated)) return
  const missing = missingTools()
  if (missing.length > 0)
    throw new Error(`Please install: ${missing.join('; ')}. Then run this again.`)
  await withLock(async () => {
    const ends = await Promise.allSettled(names.map(bring))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  })
}

await asProgram(import.meta.url, async () => {
  const began = Date.now()
  const usage = `node scripts/setup.mjs [--only ${Object.keys(PIECES).join(',')}]`
  const { only } = flags(usage, { only: { type: 'string' } })
  await setup(only === undefined ? undefined : named(only, Object.keys(PIECES), usage))
  console.log(`Set-up is current (${duration(Date.now() - began)}).`)
})
