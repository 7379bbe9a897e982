/** What fuzzing left in the repository: inputs that were found, and the last kept run of each target. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { at } from './repo.mjs'

const DIR = 'wasm/core/fuzz'
const LEDGER = at(DIR, 'runs.json')

/**
 * @typedef {object} KeptRun
 * @property {string} commit
 * @property {number} seconds by the clock, on one processor
 * @property {number} executions
 * @property {number} regions of the program that were reached, as libFuzzer counts them (`cov`)
 */

/** Inputs beyond this many bytes of a target are not kept; small ones come first. */
const MOST_BYTES = 32 * 1024

/**
 * A line of hex for each input, the shortest first.
 *
 * @param {readonly Buffer[]} inputs
 */
export function linesOf(inputs) {
  const lines = inputs
    .map((input) => input.toString('hex'))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  let bytes = 0
  return lines.filter((line) => {
    bytes += line.length / 2
    return bytes <= MOST_BYTES
  })
}

/**
 * Writes a target's inputs beside those that were found before. They are seeds from then on.
 *
 * @param {string} target
 * @param {readonly Buffer[]} inputs
 * @param {string} [folder]
 */
export function keepInputs(target, inputs, folder = at(DIR, 'kept')) {
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, `${target}.hex`)
  const before = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
  const all = [...before.map((line) => Buffer.from(line, 'hex')), ...inputs]
  writeFileSync(
    file,
    linesOf(all)
      .map((line) => `${line}\n`)
      .join(''),
  )
}

/**
 * Writes down a target's run in place of the one before.
 *
 * @param {string} target
 * @param {KeptRun} run
 */
export function keepRun(target, run) {
  /** @type {Record<string, KeptRun>} */
  const runs = JSON.parse(readFileSync(LEDGER, 'utf8'))
  const sorted = Object.entries({ ...runs, [target]: run }).sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(LEDGER, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
}
