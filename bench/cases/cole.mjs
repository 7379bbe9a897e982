/**
 * Histories and values of COLE, in both formats: a chain of 2,000 blocks with 100 writes each, made
 * for the purpose.
 */

import { measureNativeCole } from '../lib/cole.mjs'
import { checkOf, questionsOf } from '../lib/harness.mjs'
import { measure, median } from '../lib/measure.mjs'

/** @typedef {import('../lib/types.js').Row} Row */

const WASM = { id: 'cole-wasm', title: 'verify, wasm' }
const NATIVE = { id: 'cole-native', title: 'verify, native' }
const PROVER = { id: 'cole-prover', title: 'prove or insert, native' }

/** @type {Record<string, string>} */
const SYSTEMS = {
  'cole/1-cole': 'COLE, cole/1',
  'cole/1-cole-star': 'COLE*, cole/1',
  'cole/fast24-cole': 'COLE, fast24',
  'cole/fast24-cole-star': 'COLE*, fast24',
}

/**
 * Those of the native rows that the table shows, by the end of their id.
 *
 * @type {Record<string, string>}
 */
const QUESTIONS = {
  'latest-2': 'newest 2 blocks',
  'latest-16': 'newest 16 blocks',
  'latest-128': 'newest 128 blocks',
  'middle-2': '2 blocks of the middle',
  'middle-16': '16 blocks of the middle',
  'middle-128': '128 blocks of the middle',
  never: 'latest value, never written',
  'never-history': 'whole history, never written',
  insert: 'a state inserted, and its bytes on disk',
}

/** @type {import('../lib/types.js').OwnSuite} */
export const suite = {
  system: 'cole',
  title: 'history',
  about:
    'Processor time of all threads, not the clock’s; medians. An address that 63 blocks in 100 write, as each of the 100 states in the paper’s load; ' +
    '`cargo bench -p lightproof-prover --bench cole` has 4, 8, 32 and 64 blocks too. The paper’s authors report for the newest 2, 16 and 128 blocks 4,450, 6,307 and 24,209 bytes of COLE, ' +
    '7,846, 9,626 and 27,593 of COLE*, verified natively in 18, 23 and 81 µs and 33, 41 and 118 µs; inserts in 20 and 9 µs. Their memory of 64 MB holds all of these blocks; ours, of 4,096 entries, ' +
    '40 of them, so that more runs are opened. One trie: the same writes in our mpt, which keeps every block’s nodes.',
  async run({ rounds, log }) {
    log('cole: native')
    const { rows: native, records } = await measureNativeCole({ profile: 'bench', blocks: 2_000 })
    /** @type {Row[]} */
    const rows = []
    const shown = native.filter(({ id }) => titleOf(id) !== undefined)
    for (const { id, bytes, insertUs, proveUs, verifyUs } of shown) {
      const base = { system: 'cole', case: id, runs: 410, proofBytes: Math.round(bytes) }
      const record = records.get(id)
      if (record !== undefined) {
        log(`cole: ${id}`)
        const [result] = await measure([await checkOf('cole', record)], rounds)
        const medianUs = median(result?.samples ?? [])
        rows.push({ ...base, engine: WASM.id, runs: result?.runs ?? 0, ...us(medianUs) })
        const ratioToOurs = Math.round(((verifyUs ?? 0) / medianUs) * 100) / 100
        rows.push({ ...base, engine: NATIVE.id, ...us(verifyUs ?? 0), ratioToOurs })
      } else if (verifyUs !== undefined) {
        rows.push({ ...base, engine: NATIVE.id, ...us(verifyUs) })
        continue
      }
      rows.push({ ...base, engine: PROVER.id, ...us(proveUs ?? insertUs ?? 0) })
    }
    const engines = [WASM, NATIVE, PROVER].map(({ id, title }) => [id, title])
    const cases = shown.map(({ id }) => [id, titleOf(id)])
    return {
      rows,
      questions: questionsOf('cole', records, rows),
      titles: { cases: Object.fromEntries(cases), engines: Object.fromEntries(engines) },
    }
  },
}

/** @param {number} time */
function us(time) {
  return { medianUs: Math.round(time * 100) / 100, ratioToOurs: null }
}

/** @param {string} id */
function titleOf(id) {
  if (id === 'yardstick')
    return 'no proof: 100 entries of 88 bytes hashed by crate sha3 (keccak-256)'
  if (id === 'mpt-insert')
    return 'one trie with its history: a state inserted, and its bytes on disk'
  for (const [system, title] of Object.entries(SYSTEMS)) {
    const question = id.startsWith(`${system}-`)
      ? QUESTIONS[id.slice(system.length + 1)]
      : undefined
    if (question !== undefined) return `${title}: ${question}`
  }
  return undefined
}
