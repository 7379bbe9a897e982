#!/usr/bin/env node
/**
 * Builds everything that the other commands need, each piece only when it is stale: no dependencies, run by
 * `npm start`, `npm test` and the rest, and safe to run at any time.
 *
 *   node scripts/setup.mjs [--only npm,rust,wasm,node,sdk,examples]
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './lib/lock.mjs'
import { at, nodeProgram, workspaces } from './lib/repo.mjs'
import { run } from './lib/run.mjs'
import { hashInputs, isCurrent, mark } from './lib/stamp.mjs'
import { duration, printFailure, step } from './lib/steps.mjs'
import { hasWasmTarget, missingTools, rustChannel } from './lib/tools.mjs'

const WASM_OPT = 'node_modules/binaryen/bin/wasm-opt'
const GENERATED = 'sdk/src/generated'
const CARGO = ['Cargo.toml', 'Cargo.lock', 'rust-toolchain.toml']
const CURVES = ['wasm/bls12-381', 'wasm/bn254', 'wasm/limbs']
const CORE = ['wasm/core/Cargo.toml', 'wasm/core/src', 'wasm/hash', ...CURVES]
const SDK = [
  'sdk/package.json',
  'sdk/tsconfig.build.json',
  'sdk/src',
  'sdk/scripts',
  'tsconfig.base.json',
]

const traced = ['trace_hash', 'trace_bn254', 'trace_bls12_381']
const modules = ['hash', 'bn254', 'bls12_381', 'light', ...traced].flatMap((name) =>
  [`${name}.js`, `${name}.d.ts`, `${name}_bg.wasm`].map((file) => at(GENERATED, file)),
)

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
 * The pieces, in the order of building.
 *
 * @type {Record<string, Piece>}
 */
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
  wasm: {
    title: 'WebAssembly modules',
    needs: ['npm', 'rust'],
    inputs: () => [...CARGO, ...CORE, 'wasm/bindings', 'wasm/bindgen', 'package-lock.json'],
    outputs: () => modules,
    build: buildWasm,
  },
  node: {
    title: 'full node (release)',
    needs: ['rust'],
    inputs: () => [...CARGO, ...CORE, 'prover/Cargo.toml', 'prover/src'],
    outputs: () => [nodeProgram()],
    build: (onLine) =>
      run('cargo', ['build', '--locked', '--release', '-p', 'lightproof-prover'], { onLine }),
  },
  sdk: {
    title: 'SDK',
    needs: ['npm', 'wasm'],
    inputs: () => SDK,
    outputs: () => [at('sdk/dist/index.js'), at('sdk/dist/index.d.ts')],
    build: (onLine) => run('npm', ['run', 'build', '-w', 'lightproof'], { onLine }),
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

/** @param {OnLine} onLine */
async function buildWasm(onLine) {
  await run('cargo', ['build', '--locked', '-p', 'lightproof-bindgen'], { onLine })
  const target = process.env.CARGO_TARGET_DIR ?? 'target'
  await run(path.join(target, 'debug', 'lightproof-bindgen'), [GENERATED, WASM_OPT], { onLine })
}

/** @param {string} name */
function pieceOf(name) {
  const piece = PIECES[name]
  if (piece === undefined) throw new Error(`set-up has no piece ${name}`)
  return piece
}

/** @param {string[]} names */
function withNeeds(names) {
  /** @type {Set<string>} */
  const wanted = new Set()
  const visit = (/** @type {string} */ name) => {
    for (const need of pieceOf(name).needs) visit(need)
    wanted.add(name)
  }
  names.forEach(visit)
  return [...wanted]
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
 * Brings the named pieces (default: all) and what they need up to date.
 *
 * @param {string[]} [names]
 * @throws {Error} naming what to install when a tool is missing, or the command that failed.
 */
export async function setup(names = Object.keys(PIECES)) {
  const wanted = withNeeds(names)
  if (!wanted.some(stale)) return
  const missing = missingTools()
  if (missing.length > 0)
    throw new Error(`Please install: ${missing.join('; ')}. Then run this again.`)
  await withLock('setup', async () => {
    console.log('Set-up')
    for (const name of wanted) {
      if (!stale(name)) continue
      const piece = pieceOf(name)
      await step(piece.title, piece.build)
      const lost = (piece.outputs?.() ?? []).filter((file) => !existsSync(file))
      if (lost.length > 0) throw new Error(`${piece.title}: not built: ${lost.join(', ')}`)
      if (piece.inputs) mark(name, hashOf(piece))
    }
  })
}

/** @param {string[]} args */
function parseOnly(args) {
  if (args.length === 0) return undefined
  const [flag, list, ...rest] = args
  const names = list?.split(',') ?? []
  const known = names.length > 0 && names.every((name) => Object.hasOwn(PIECES, name))
  if (flag !== '--only' || rest.length > 0 || !known) {
    throw new Error(`usage: node scripts/setup.mjs [--only ${Object.keys(PIECES).join(',')}]`)
  }
  return names
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const began = Date.now()
  try {
    await setup(parseOnly(process.argv.slice(2)))
    console.log(`Set-up is current (${duration(Date.now() - began)}).`)
  } catch (error) {
    printFailure(error)
    process.exitCode = 1
  }
}
