/**
 * Latest values over vector commitments: every form and level, a hundred keys, and what the prover
 * writes, keeps and needs.
 */

import { checkOf, questionOf } from '../lib/harness.mjs'
import { measureNativeLvmt } from '../lib/lvmt.mjs'
import { measure, median } from '../lib/measure.mjs'

/** @typedef {import('../lib/types.js').Row} Row */

const WASM = { id: 'lvmt-wasm', title: 'verify, wasm' }
const NATIVE = { id: 'lvmt-native', title: 'verify, native' }
const PROVER = { id: 'lvmt-prover', title: 'prove, or read and write, native' }

const KEYS = 1_000_000
/** Of the states whose proof tree is kept. */
const TREE_KEYS = 65_536

/** @param {string} id */
function titleOf(id) {
  const [, level, form] = /^lvmt-(level-\d|100-keys)-(.*)$/.exec(id) ?? []
  return level === '100-keys'
    ? `100 keys at level 0, ${form}`
    : `1 key at ${level?.replace('-', ' ')}, ${form}`
}

const TREES = { none: 'no tree', '3/16': '1/16 of the tree', '0/1': 'the whole tree' }
const ARKWORKS = 'an opening by arkworks alone'

/**
 * @param {import('../lib/lvmt.mjs').NativeRow} row of a state, not of a proof
 * @param {keyof typeof TREES} tree what is kept of the proof tree
 * @param {boolean} isShared whether a trie stands in the same process
 */
function workOf({ id, keys, peak }, tree, isShared) {
  if (id === 'lvmt-arkworks-apart')
    return `${ARKWORKS}: 32 pairings, as the authors’ verifier has it`
  if (id === 'lvmt-arkworks-product') return `${ARKWORKS}: one product of 18`
  const state = `of ${keys?.toLocaleString('en-US')}`
  if (id === 'lvmt-write-mpt') return `read and write a key ${state}: one trie`
  if (id.startsWith('lvmt-new-')) return `write a new key ${state}: ${TREES[tree]}`
  const memory = isShared ? '' : `, ${Math.round((peak ?? 0) / 1e6)} MB`
  return `read and write a key ${state}: ${TREES[tree]}${memory}`
}

/** @type {import('../lib/types.js').OwnSuite} */
export const suite = {
  system: 'lvmt',
  title: 'lvmt',
  about:
    `Medians of the processor’s time, all of one run, k = 16. Blocks of 1,000 random keys, each read and then written, one database transaction a block, once as much leaves the windows as comes in, with 64 MiB of memory for the cache and, of ours, for rows that wait: over ${KEYS.toLocaleString('en-US')} keys beside ` +
    `one trie with the same work (in brackets: its time by ours; the paper has at least 4.5), and over ${TREE_KEYS.toLocaleString('en-US')} keys with a proof tree kept, whose peak of memory is in the title. ` +
    'Proofs are of that last state; keys of level 2 are ground. The authors’ verifier opens two AMTs for a key at level 1.',
  async run({ rounds, log }) {
    log('lvmt: native')
    /** @type {{ keys: number, tree: keyof typeof TREES, mpt?: boolean, proves?: boolean }[]} */
    const states = [
      { keys: KEYS, tree: 'none', mpt: true },
      { keys: TREE_KEYS, tree: 'none' },
      { keys: TREE_KEYS, tree: '3/16' },
      { keys: TREE_KEYS, tree: '0/1', proves: true },
    ]
    /** @type {Row[]} */
    const rows = []
    /** @type {[string, string][]} */
    const cases = []
    /** @type {Map<string, import('../browser/types.js').Question>} */
    const questions = new Map()
    for (const state of states) {
      const { keys, tree } = state
      log(`lvmt: ${keys} keys, tree ${tree}`)
      const { rows: native, records } = await measureNativeLvmt({ profile: 'bench', ...state })
      for (const row of native) {
        const { id, us: once, ratio, bytes = 0, proveUs, verifyUs } = row
        const record = records.get(id)
        const own = record === undefined ? `${id}-${keys}` : id
        const base = { system: 'lvmt', case: own, runs: 9, proofBytes: bytes }
        if (record !== undefined) questions.set(id, questionOf('lvmt', record))
        if (record === undefined) {
          cases.push([own, workOf(row, tree, state.mpt === true)])
          const engine = id.startsWith('lvmt-arkworks-') ? NATIVE.id : PROVER.id
          rows.push({ ...base, engine, ...us(once ?? 0, ratio) })
          continue
        }
        cases.push([own, titleOf(id)])
        log(`lvmt: ${titleOf(id)}`)
        const [result] = await measure([await checkOf('lvmt', record)], rounds)
        const medianUs = median(result?.samples ?? [])
        rows.push({ ...base, engine: WASM.id, runs: result?.runs ?? 0, ...us(medianUs) })
        rows.push({ ...base, engine: NATIVE.id, ...us(verifyUs ?? 0, (verifyUs ?? 0) / medianUs) })
        rows.push({ ...base, engine: PROVER.id, ...us(proveUs ?? 0) })
      }
    }
    const engines = [WASM, NATIVE, PROVER].map(({ id, title }) => [id, title])
    return {
      rows,
      questions,
      titles: { cases: Object.fromEntries(cases), engines: Object.fromEntries(engines) },
    }
  },
}

/**
 * @param {number} time
 * @param {number | undefined} [ratio]
 */
function us(time, ratio) {
  const rounded = (/** @type {number} */ value) => Math.round(value * 100) / 100
  return { medianUs: rounded(time), ratioToOurs: ratio === undefined ? null : rounded(ratio) }
}
