/** Staleness: a piece is current when its outputs exist and its inputs hash to what they did when it was built. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { at } from './repo.mjs'

const SKIP = new Set(['node_modules', 'target', 'dist', '.cache', 'corpus', 'artifacts'])

/**
 * @param {string} relative
 * @returns {Generator<string>}
 */
function* files(relative) {
  const full = at(relative)
  if (!existsSync(full)) return
  if (!statSync(full).isDirectory()) {
    yield relative
    return
  }
  for (const name of readdirSync(full).sort()) {
    if (!SKIP.has(name)) yield* files(path.posix.join(relative, name))
  }
}

/**
 * Hash of files and directories (by name and content), with extra strings such as versions.
 *
 * @param {string[]} inputs paths from the repository's root
 * @param {string[]} extra
 */
export function hashInputs(inputs, extra) {
  const hash = createHash('sha256')
  for (const text of extra) hash.update(`${text}\0`)
  for (const file of inputs.flatMap((input) => [...files(input)])) {
    const bytes = readFileSync(at(file))
    hash.update(`${file}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex')
}

const stampFile = (/** @type {string} */ name) => at('.cache', 'stamps', name)

/**
 * True if `outputs` (absolute paths) exist and the stamp of `name` is `hash`.
 *
 * @param {string} name
 * @param {string} hash
 * @param {string[]} outputs
 */
export function isCurrent(name, hash, outputs) {
  const file = stampFile(name)
  return (
    outputs.every((out) => existsSync(out)) &&
    existsSync(file) &&
    readFileSync(file, 'utf8') === hash
  )
}

/**
 * Records that `name` was built from inputs that hash to `hash`.
 *
 * @param {string} name
 * @param {string} hash
 */
export function mark(name, hash) {
  mkdirSync(at('.cache', 'stamps'), { recursive: true })
  writeFileSync(stampFile(name), hash)
}
