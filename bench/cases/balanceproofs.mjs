/** Values at positions of a vector: every scheme and variant, from one position to 4,096. */

import { decodingOf, measureNativeBalances } from '../lib/balanceproofs.mjs'
import { checkOf, questionsOf } from '../lib/harness.mjs'
import { measure, median, pairedRatio } from '../lib/measure.mjs'
import { installPeers } from '../lib/peers.mjs'

/** @typedef {import('../lib/types.js').Row} Row */

const WASM = { id: 'balanceproofs-wasm', title: 'verify, wasm' }
const WASM_DECODE = { id: 'balanceproofs-wasm-decode', title: 'decoding in that, wasm' }
const NATIVE = { id: 'balanceproofs-native', title: 'verify, native' }
const NATIVE_DECODE = { id: 'balanceproofs-native-decode', title: 'decoding in that, native' }
const PROVER = { id: 'balanceproofs-prover', title: 'prove, update or ask, native' }
const MCL = { id: 'mcl', title: 'mcl-wasm 2.4.1, two pairings' }
const MCL_PREPARED = { id: 'mcl-prepared', title: 'the same, G2 prepared' }
const ENGINES = [WASM, WASM_DECODE, NATIVE, NATIVE_DECODE, PROVER, MCL, MCL_PREPARED]

/** The claim whose check is an equation of two pairings. */
const TWO_PAIRINGS = 'balanceproofs-basic-singles-1'

const COUNTS = [1, 16, 64, 256, 1024, 4096]

/** @type {Record<string, string>} */
const VECTORS = {
  basic: 'basic, n = 4,096',
  insecure: 'basic, n = 8,192, INSECURE',
  'bucketed-small': 'bucketed, n = 16·16, INSECURE',
  bucketed: 'bucketed, n = 64·64, INSECURE',
  'two-layer-small': 'two-layer, n = 4·4·8, INSECURE',
  'two-layer': 'two-layer, n = 16·16·16, INSECURE',
  large: 'two-layer, n = 32·32·1,024, INSECURE',
}

/** @type {Record<string, string>} */
const WORK = {
  'open-all': 'all proofs, from the powers on',
  'open-again': 'all proofs of another vector',
  'open-bucket': 'all proofs within one of 1,024 buckets',
  update: 'an update, at worst',
  'update-random': 'an update of a random position, on average',
  query: 'a proof, after updates',
}

/** @type {import('../lib/types.js').OwnSuite} */
export const suite = {
  system: 'balanceproofs',
  title: 'balanceproofs',
  about:
    'Processor time of one thread, medians, all of one run; proofs without the 32 bytes of each value. Kept proofs are those after as many updates as their log ' +
    'holds. mcl-wasm multiplies two pairings, as the proof of one position does; ' +
    'it starts from points in memory. The proofs of 2²⁰ values are made from the INSECURE secrets, so their time is none of a prover’s. The paper’s authors’ own program takes 249 to ' +
    '256 ms natively for an aggregate of 1,024 positions of `basic`, 156 ms to make it, 1.0 ms for one position, and 192 ms for 1,024 of 2²⁰ in two layers. ' +
    'Of the rest there are the paper’s own figures, of one thread and n = 2²⁰ (their program was not at hand): all proofs of `basic` 0.86 h, which is 7.3 s ' +
    'for 4,096 by n·log n, an update of `basic` 3.03 s on average, 114 ms by √n·log n, and a proof 20 ms, 1.2 ms by √n; in two layers of the same sides as ' +
    'here all proofs 0.58 h, an update of a random position 4.6 ms, and a proof 3.3 ms.',
  async run({ rounds, log }) {
    log('balanceproofs: native')
    const { rows: native, records } = await measureNativeBalances({
      profile: 'bench',
      counts: COUNTS,
    })
    /** @type {Row[]} */
    const rows = []
    for (const { id, bytes = 0, us: once, proveUs, decodeUs, verifyUs } of native) {
      const base = { system: 'balanceproofs', case: id, runs: 9, proofBytes: bytes }
      const record = records.get(id)
      if (record !== undefined) {
        log(id)
        const checks = [await checkOf('balanceproofs', record), await decodingOf(record)]
        const results = await measure(checks, rounds)
        const [whole, part] = results.map(({ samples, runs }) => ({ ...us(median(samples)), runs }))
        if (whole === undefined || part === undefined) throw new Error('two were measured')
        rows.push({ ...base, engine: WASM.id, ...whole })
        rows.push({ ...base, engine: WASM_DECODE.id, ...part })
        const ratioToOurs = Math.round(((verifyUs ?? 0) / whole.medianUs) * 100) / 100
        rows.push({ ...base, engine: NATIVE.id, ...us(verifyUs ?? 0), ratioToOurs })
        rows.push({ ...base, engine: NATIVE_DECODE.id, ...us(decodeUs ?? 0) })
        if (id === TWO_PAIRINGS) rows.push(...(await besideMcl(base, checks[0], rounds)))
      }
      const prover = proveUs ?? once
      if (prover !== undefined) rows.push({ ...base, engine: PROVER.id, ...us(prover) })
    }
    const engines = ENGINES.map(({ id, title }) => [id, title])
    const cases = native.map(({ id }) => [id, titleOf(id)])
    return {
      rows,
      questions: questionsOf('balanceproofs', records, rows),
      titles: { cases: Object.fromEntries(cases), engines: Object.fromEntries(engines) },
    }
  },
}

/**
 * @param {Pick<Row, 'system' | 'case' | 'runs' | 'proofBytes'>} base
 * @param {(() => unknown) | undefined} ours
 * @param {number} rounds
 * @returns {Promise<Row[]>} of mcl-wasm, in the same rounds as ours
 */
async function besideMcl(base, ours, rounds) {
  await installPeers()
  const { equations } = await import(new URL('../peers/mcl.mjs', import.meta.url).href)
  const { plain, prepared } = await equations()
  const [own, ...theirs] = await measure([ours ?? plain, plain, prepared], rounds)
  return [MCL, MCL_PREPARED].map(({ id }, i) => {
    const { samples = [], runs = 0 } = theirs[i] ?? {}
    const ratioToOurs = Math.round(pairedRatio(samples, own?.samples ?? []) * 100) / 100
    return { ...base, engine: id, runs, medianUs: median(samples), ratioToOurs }
  })
}

/** @param {number} time */
function us(time) {
  return { medianUs: Math.round(time * 100) / 100, ratioToOurs: null }
}

/** @param {string} id */
function titleOf(id) {
  const rest = id.slice('balanceproofs-'.length)
  const vector = Object.keys(VECTORS).find((name) => rest.startsWith(`${name}-`)) ?? ''
  const what = rest.slice(vector.length + 1)
  const work = WORK[what]
  if (work !== undefined) return `${VECTORS[vector]}: ${work}`
  const at = what.lastIndexOf('-')
  const form = what
    .slice(0, at)
    .replace(/^kept-(.*)/, '$1 of kept proofs')
    .replace('-uncompressed', ', uncompressed')
  return `${VECTORS[vector]}: ${form}, k = ${Number(what.slice(at + 1)).toLocaleString('en')}`
}
