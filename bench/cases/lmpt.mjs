/** Layers against one trie: proofs over the same state of a million keys, and the same writes. */

import { prepareChecks } from '../lib/bench.mjs'
import { measureNativeLmpt } from '../lib/lmpt.mjs'
import { measure, median } from '../lib/measure.mjs'
import { loadEngine } from '../lib/suites.mjs'

/** @typedef {import('../lib/types.js').Row} Row */

const WASM = { id: 'lmpt-wasm', title: 'verify, wasm' }
const NATIVE = { id: 'lmpt-native', title: 'verify, native' }
const PROVER = { id: 'lmpt-prover', title: 'prove or write, native' }

const KEYS = 1_000_000
const ROUNDS = 3

/** @type {import('../lib/types.js').OwnSuite} */
export const suite = {
  system: 'lmpt',
  title: 'layers',
  about:
    'Medians, all of one run: a state of 1,000,000 keys, blocks of 1,000 writes, one database transaction a block, a merge every 16 blocks. ' +
    'In brackets: native by wasm, and one trie’s time for a write by the layers’. mpt proves account and slot in the same state. The target for wasm is 300 µs; the paper claims up to 6 times the writes.',
  async run({ rounds, log }) {
    log('lmpt: native')
    const native = await measureNativeLmpt({ profile: 'bench', keys: KEYS, rounds: ROUNDS })
    const { lmptPerSecond, mptPerSecond, ratio, lmptSlowestBlockMs, mptSlowestBlockMs } =
      native.writes
    const slowest = [lmptSlowestBlockMs, mptSlowestBlockMs].map((ms) => ms.toFixed(0))
    log(`lmpt: ${ratio.toFixed(1)} times the writes of one trie`)
    log(`lmpt: slowest block ${slowest[0]} ms in layers, ${slowest[1]} ms in one trie`)
    const engine = await loadEngine('lightproof-wasm')
    /** @type {Row[]} */
    const rows = []
    for (const bench of native.records) {
      const own = native.rows.get(bench.id)
      if (own === undefined) throw new Error(`lmpt: no row of ${bench.id}`)
      log(`lmpt: ${bench.title}`)
      const [result] = await measure(await prepareChecks(bench, [engine]), rounds)
      const medianUs = median(result?.samples ?? [])
      const base = { system: 'lmpt', case: bench.id, runs: 301, proofBytes: own.bytes }
      rows.push(
        { ...base, engine: WASM.id, runs: result?.runs ?? 0, ...us(medianUs) },
        { ...base, engine: NATIVE.id, ...us(own.verifyUs, own.verifyUs / medianUs) },
        { ...base, engine: PROVER.id, ...us(own.proveUs) },
      )
    }
    const write = { system: 'lmpt', engine: PROVER.id, runs: ROUNDS, proofBytes: 0 }
    rows.push(
      { ...write, case: 'lmpt-write', ...us(1e6 / lmptPerSecond) },
      { ...write, case: 'lmpt-write-mpt', ...us(1e6 / mptPerSecond, ratio) },
    )
    const titles = native.records.map(({ id, title }) => [id, title])
    const engines = [WASM, NATIVE, PROVER].map(({ id, title }) => [id, title])
    return {
      rows,
      titles: {
        cases: {
          ...Object.fromEntries(titles),
          'lmpt-write': 'lmpt: one write',
          'lmpt-write-mpt': 'mpt: the same write',
        },
        engines: Object.fromEntries(engines),
      },
    }
  },
}

/**
 * @param {number} time
 * @param {number | null} ratio
 */
function us(time, ratio = null) {
  const rounded = (/** @type {number} */ value) => Math.round(value * 100) / 100
  return { medianUs: rounded(time), ratioToOurs: ratio === null ? null : rounded(ratio) }
}
