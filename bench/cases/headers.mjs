/** Signed headers: periods by mainnet's rules, from the checkpoint to the next committee. */

import { headerData, inHex } from '../headers/data.mjs'
import { client as ours, storeBytes } from '../headers/lightproof.mjs'
import { measureTasks, TASKS } from '../headers/measure.mjs'
import { measureNativeTasks } from '../headers/native.mjs'
import { loadPeers } from '../headers/peers.mjs'
import { median, pairedRatio } from '../lib/measure.mjs'
import { installPeers } from '../lib/peers.mjs'

/** @typedef {import('../lib/types.js').Row} Row */

/** Each round takes the slowest peer a tenth of a second and more. */
const MAX_ROUNDS = 25

/** @type {Record<import('../headers/types.js').TaskName, string>} */
const TITLES = {
  bootstrap: 'bootstrap',
  cold: 'full update, keys compressed',
  cached: 'full update, keys decompressed before',
  finality: 'finality update, keys decompressed before',
}

const NATIVE = { id: 'lightproof-native', title: 'lightproof, native' }

/** @type {import('../lib/types.js').OwnSuite} */
export const suite = {
  system: 'headers',
  title: 'signed headers',
  about:
    'Processor time, not the clock’s; medians, in brackets the quotient in the same round. SSZ of a period by mainnet’s rules, ' +
    '512 keys, recorded on mainnet or made by our generator, as the row says; ' +
    'everybody starts from bytes in memory. @lodestar/light-client decompresses all keys at its ' +
    'bootstrap, so its first update includes that. It is measured twice: as Node loads it, with ' +
    'blst as a native addon, and as a bundle for browsers, with herumi’s BLS in WebAssembly. ' +
    'bls-eth-wasm checks the signature alone, under a key that was added up before.',
  async run({ rounds, log }) {
    await installPeers()
    const all = [ours, ...(await loadPeers())]
    /** @type {Row[]} */
    const rows = []
    /** @type {Record<string, string>} */
    const cases = {}
    /** @type {Map<string, import('../browser/types.js').Question>} */
    const questions = new Map()
    for (const data of await headerData('bench')) {
      const clients = all.filter(({ forks }) => forks.includes(data.fork))
      const tasks = []
      for (const client of clients) tasks.push(await client.load(data))
      log(`headers: ${data.title}: native`)
      const native = await measureNativeTasks(data, { profile: 'bench', seconds: 2 })
      log(`headers: ${data.title}: ${clients.map(({ id }) => id).join(', ')}`)
      const samples = measureTasks(tasks, Math.min(rounds, MAX_ROUNDS))
      log(`headers: a client keeps ${(await storeBytes(data)).toLocaleString('en')} bytes`)
      for (const name of TASKS) {
        cases[caseId(data, name)] = `${data.title}: ${TITLES[name]}`
        questions.set(caseId(data, name), { kind: 'headers', task: name, data: inHex(data) })
        rows.push(...rowsOf(name, clients, samples[name], native, data))
      }
    }
    const engines = [...all, NATIVE].map(({ id, title }) => [id, title])
    return { rows, questions, titles: { cases, engines: Object.fromEntries(engines) } }
  },
}

/**
 * @param {import('../headers/types.js').HeaderData} data
 * @param {string} name
 */
function caseId({ id }, name) {
  return `headers-${id}-${name}`
}

/**
 * @param {import('../headers/types.js').TaskName} name
 * @param {readonly import('../headers/types.js').Client[]} clients
 * @param {readonly number[][]} samples
 * @param {Map<string, { medianUs: number, runs: number }>} native
 * @param {import('../headers/types.js').HeaderData} data
 * @returns {Row[]}
 */
function rowsOf(name, clients, samples, native, data) {
  const [own = []] = samples
  const form = name === 'bootstrap' || name === 'finality' ? name : 'update'
  const row = { system: suite.system, case: caseId(data, name), proofBytes: data[form].length }
  const rounded = (/** @type {number} */ value) => Math.round(value * 100) / 100
  const { medianUs = Number.NaN, runs = 0 } = native.get(name) ?? {}
  const ofNative = {
    ...row,
    engine: NATIVE.id,
    runs,
    medianUs: rounded(medianUs),
    ratioToOurs: rounded(medianUs / median(own)),
  }
  const [first, ...others] = clients.flatMap(({ id }, i) => {
    const of = samples[i] ?? []
    if (of.length === 0) return []
    const medianUs = rounded(median(of))
    const ratioToOurs = i === 0 ? null : rounded(pairedRatio(of, own))
    return [{ ...row, engine: id, runs: of.length, medianUs, ratioToOurs }]
  })
  return first === undefined ? [] : [first, ofNative, ...others]
}
