/** A balance through the SDK without a network: what is left is our own code, and the platform's. */

import { engine as sdk } from '../engines/lightproof-sdk.mjs'
import { engine as wasm } from '../engines/lightproof-wasm.mjs'
import { measure, median, pairedRatio } from '../lib/measure.mjs'
import { proofBytes } from '../lib/record.mjs'
import { prepareBalance } from '../lib/warmClient.mjs'
import { suite as mpt } from './mpt.mjs'

/** @typedef {import('../lib/types.js').BenchCase} BenchCase */

const CACHE_BYTES = 4_194_304

/** @type {readonly { id: string, title: string, prepare: (bench: BenchCase) => Promise<() => unknown> }[]} */
const COLUMNS = [
  { id: wasm.id, title: wasm.title, prepare: wasm.prepare },
  { id: sdk.id, title: sdk.title, prepare: sdk.prepare },
  {
    id: 'client',
    title: 'getBalance, the node asked',
    prepare: (bench) => prepareBalance(bench, { cacheBytes: 0 }),
  },
  {
    id: 'client-cache',
    title: 'getBalance, from the cache',
    prepare: (bench) => prepareBalance(bench, { cacheBytes: CACHE_BYTES }),
  },
]

/** @type {import('../lib/types.js').OwnSuite} */
export const suite = {
  system: 'client',
  title: 'balance of a warm client',
  about:
    'Medians of one check, by the processor’s clock; in brackets, how many times the first ' +
    'column’s time in the same round. A client whose block is known, with a `fetch` that answers ' +
    'from memory: parsing the question, the JSON of the answer, the proof and the trust report, ' +
    'on the main thread. What Node.js takes to make a Response and to read it is part of it.',
  async run({ rounds, log }) {
    log('client: cases')
    const cases = await mpt.cases({ profile: 'bench', accounts: 1_000_000 })
    const known = cases.filter(isBalance)
    return measureClient(known, rounds)
  },
}

/** Is it a proof of an account that is there, and of nothing else? @param {BenchCase} bench */
function isBalance({ expected }) {
  const { account, slots } = /** @type {import('../lib/types.js').Fact} */ (expected)
  return account !== null && slots.length === 0
}

/**
 * @param {readonly BenchCase[]} cases
 * @param {number} rounds
 */
export async function measureClient(cases, rounds) {
  /** @type {import('../lib/types.js').Row[]} */
  const rows = []
  for (const bench of cases) {
    const checks = []
    for (const { prepare } of COLUMNS) checks.push(await prepare(bench))
    const results = await measure(checks, rounds)
    const [ours] = results
    for (const [i, { id }] of COLUMNS.entries()) {
      const { samples = [], runs = 0 } = results[i] ?? {}
      const ratio = i === 0 ? null : rounded(pairedRatio(samples, ours?.samples ?? []))
      rows.push({
        ...{ system: 'client', case: `client-${bench.id}`, engine: id, runs },
        ...{ medianUs: rounded(median(samples)), ratioToOurs: ratio },
        proofBytes: proofBytes(bench),
      })
    }
  }
  return {
    rows,
    titles: {
      cases: Object.fromEntries(cases.map(({ id, title }) => [`client-${id}`, title])),
      engines: Object.fromEntries(COLUMNS.map(({ id, title }) => [id, title])),
    },
  }
}

/** @param {number} value */
function rounded(value) {
  return Math.round(value * 100) / 100
}
