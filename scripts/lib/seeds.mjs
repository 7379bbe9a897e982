/** Fuzz corpora, seeded from the test vectors: the fuzzer starts from bytes that get far into the code. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { at, readJson } from './repo.mjs'

/**
 * @typedef {object} Vector The fields used of a test vector.
 * @property {{ header?: { rlps: string[] } }} source
 * @property {string} query
 * @property {string} proof
 */

/** @returns {Vector[]} */
function vectors() {
  const dir = at('test-vectors')
  if (!existsSync(dir)) return []
  return readdirSync(dir)
    .filter((name) => name.endsWith('.json'))
    .map((name) => readJson('test-vectors', name))
    .filter(({ kind }) => kind === 'vectors')
    .flatMap(({ groups }) => groups)
    .flatMap(({ tests }) => tests)
}

/**
 * Every byte string of a vector that some decoder reads.
 *
 * @param {Vector} vector
 */
function pieces({ source, query, proof }) {
  return [proof, query, ...(source.header?.rlps ?? [])]
}

/**
 * Writes the seeds of a target into its corpus and returns how many there are.
 *
 * @param {string} _target
 * @param {string} dir
 */
export function seedCorpus(_target, dir) {
  mkdirSync(dir, { recursive: true })
  const seeds = new Set(vectors().flatMap(pieces))
  for (const hex of seeds) {
    const bytes = Buffer.from(hex.slice(2), 'hex')
    const name = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
    writeFileSync(path.join(dir, name), bytes)
  }
  return seeds.size
}
