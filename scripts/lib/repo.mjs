/**
 * Where things are. Every script works from any directory: paths start at the repository's root.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * An absolute path inside the repository.
 *
 * @param {string[]} parts
 */
export function at(...parts) {
  return path.join(root, ...parts)
}

/**
 * Parses a JSON file of the repository.
 *
 * @param {string[]} parts
 */
export function readJson(...parts) {
  return JSON.parse(readFileSync(at(...parts), 'utf8'))
}

/**
 * @typedef {object} Manifest What the scripts read of a package.json.
 * @property {string} name
 * @property {string} version
 * @property {boolean} [private]
 * @property {string} [homepage]
 * @property {string} [bugs]
 * @property {{ url: string, directory?: string }} [repository]
 * @property {string[]} [workspaces]
 * @property {Record<string, string>} [scripts]
 */

/**
 * The npm workspaces that exist, the SDK first, since the others import it.
 *
 * @returns {{ dir: string, manifest: Manifest }[]}
 */
export function workspaces() {
  /** @type {string[]} */
  const patterns = readJson('package.json').workspaces
  const dirs = patterns.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern]
    const parent = pattern.slice(0, -2)
    if (!existsSync(at(parent))) return []
    return readdirSync(at(parent))
      .sort()
      .map((name) => `${parent}/${name}`)
  })
  return dirs
    .filter((dir) => existsSync(at(dir, 'package.json')))
    .map((dir) => ({ dir, manifest: readJson(dir, 'package.json') }))
}

/**
 * A path in cargo's output directory, honouring CARGO_TARGET_DIR as cargo does.
 *
 * @param {string[]} parts
 */
function cargoTarget(...parts) {
  return path.join(path.resolve(root, process.env['CARGO_TARGET_DIR'] ?? 'target'), ...parts)
}

/** @param {string} name of a program, as `cargo build` leaves it */
export function debugProgram(name) {
  return cargoTarget('debug', process.platform === 'win32' ? `${name}.exe` : name)
}

/** @param {string} name of a program, as `cargo build --release` leaves it */
export function releasedProgram(name) {
  return cargoTarget('release', process.platform === 'win32' ? `${name}.exe` : name)
}

/** The node of the tour, which takes half of the time to compile. */
export function tourProgram() {
  return cargoTarget('tour', path.basename(releasedProgram('lightproof-node')))
}

/**
 * A program for everything that is not measured: as `cargo build --release` leaves it; in CI the
 * one that is compiled with the Rust tests, since another profile would compile everything again.
 *
 * @param {string} name
 */
function program(name) {
  if (process.env['CI'] === 'true') return debugProgram(name)
  return releasedProgram(name)
}

/** The full node's program. */
export function nodeProgram() {
  return program('lightproof-node')
}

/**
 * The full node's program with cargo's feature `ethereum`: beside the other, but for the tests'
 * one, which has it.
 */
export function followerProgram() {
  return program(process.env['CI'] === 'true' ? 'lightproof-node' : 'lightproof-follower')
}

/** The same with cargo's features `object-store` and `jemalloc`. */
export function storeProgram() {
  return program(process.env['CI'] === 'true' ? 'lightproof-node' : 'lightproof-store')
}

/** The program that writes the test vectors. */
export function generatorProgram() {
  return program('lightproof-generator')
}
