/**
 * Keys of Verkle trees with 16,384 leaves: every commitment and width, one key and a hundred, both
 * encodings.
 */

import { checkOf, questionsOf } from '../lib/harness.mjs'
import { measure, median } from '../lib/measure.mjs'
import { measureNativeVerkle } from '../lib/verkle.mjs'

/** @typedef {import('../lib/types.js').Row} Row */

const WASM = { id: 'verkle-wasm', title: 'verify, wasm' }
const NATIVE = { id: 'verkle-native', title: 'verify, native' }
const PROVER = { id: 'verkle-prover', title: 'prove, or a leaf, native' }
const ANEW = { id: 'verkle-prover-anew', title: 'prove, nothing kept, native' }

const TREES = [
  'verkle/cf-32',
  'verkle/cf-256',
  'verkle/cf-1024',
  'verkle/kzg-32',
  'verkle/kzg-256',
  'verkle/kzg-1024',
]

/**
 * What the table shows of a tree, by the end of the rows' ids.
 *
 * @type {Record<string, string>}
 */
const QUESTIONS = {
  build: 'a leaf of a new tree',
  update: 'a leaf of 100 that a block changes',
  'plain-1': '1 key, plain',
  'aggregated-1': '1 key, aggregated',
  'plain-100': '100 keys, plain',
  'aggregated-100': '100 keys, aggregated',
}

/** @type {import('../lib/types.js').OwnSuite} */
export const suite = {
  system: 'verkle',
  title: 'verkle',
  about:
    'Processor time, not the clock’s; medians, in brackets the quotient. Trees of 16,384 leaves, changed by a block of 100; a proof starts from the openings of the top node that the block before left, or from nothing. Binary Merkle: the hashes that prove the same keys in a ' +
    'balanced tree of two children a node, shared ones once. The paper’s author reports 8.4 ms (k = 32) and 110 ms (k = 1,024) per inserted leaf, with all openings of a node kept.',
  peer: 'binary Merkle',
  async run({ rounds, log }) {
    log('verkle: native')
    const how = { profile: 'bench', leaves: 16_384, trees: TREES }
    const { rows: native, records } = await measureNativeVerkle(how)
    /** @type {Row[]} */
    const rows = []
    const shown = native.filter(({ id }) => titleOf(id) !== undefined)
    for (const {
      id,
      bytes = 0,
      us: once,
      merkleBytes = 0,
      proveUs,
      proveAnewUs,
      verifyUs,
    } of shown) {
      const base = {
        system: 'verkle',
        case: id,
        runs: 9,
        proofBytes: bytes,
        peerBytes: merkleBytes,
      }
      const record = records.get(id)
      if (record !== undefined) {
        log(`verkle: ${id}`)
        const [result] = await measure([await checkOf('verkle', record)], rounds)
        const medianUs = median(result?.samples ?? [])
        rows.push({ ...base, engine: WASM.id, runs: result?.runs ?? 0, ...us(medianUs) })
        const ratioToOurs = Math.round(((verifyUs ?? 0) / medianUs) * 100) / 100
        rows.push({ ...base, engine: NATIVE.id, ...us(verifyUs ?? 0), ratioToOurs })
      }
      rows.push({ ...base, engine: PROVER.id, ...us(proveUs ?? once ?? 0) })
      if (proveAnewUs !== undefined) rows.push({ ...base, engine: ANEW.id, ...us(proveAnewUs) })
    }
    const engines = [WASM, NATIVE, PROVER, ANEW].map(({ id, title }) => [id, title])
    const cases = shown.map(({ id }) => [id, titleOf(id)])
    return {
      rows,
      questions: questionsOf('verkle', records, rows),
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
  const tree = TREES.find((tree) => id.startsWith(`${tree}-`))
  const question = tree === undefined ? undefined : QUESTIONS[id.slice(tree.length + 1)]
  return question === undefined ? undefined : `${tree}: ${question}`
}
