/** Calls over proven state: a token's balances, and what an EVM only computes. */

import { runByClient } from '../lib/callClient.mjs'
import { measureColdCall } from '../lib/callPage.mjs'
import { madeCalls } from '../lib/callState.mjs'
import {
  bytesOf,
  measureNativeCalls,
  prepareEthereumjs,
  prepareOurs,
  recordedCalls,
} from '../lib/calls.mjs'
import { measure, median, pairedRatio } from '../lib/measure.mjs'

/** @typedef {import('../lib/types.js').Row} Row */

const OURS = { id: 'calls-wasm', title: 'lightproof, wasm' }
const NATIVE = { id: 'calls-native', title: 'lightproof, native (revm)' }
const PEER = { id: 'calls-ethereumjs', title: '@ethereumjs/evm' }

const CLIENT = { id: 'calls-client', title: 'rounds of a client' }
const OFFERED = { id: 'calls-offered', title: 'rounds with lp_callProof' }

/** Pages that are opened in each engine. */
const OPENED = 10

/** Times that the computing contracts count down. */
const TIMES = 100_000

/** @type {import('../lib/types.js').OwnSuite} */
export const suite = {
  system: 'calls',
  title: 'calls',
  about:
    'From proofs and codes in memory to the answer, hashing and decoding included. Bytes: header, ' +
    'proofs, codes and calls. Gas is that of the code alone. Both others run the same calls: ' +
    'natively our own crate on revm, and an EVM in JavaScript. A client knows the block’s hash ' +
    'alone; its rounds are those of questions about state, its requests and the bytes of their ' +
    'answers, as JSON, all that it asks. The targets are 4 rounds for a balance, 1 where the node ' +
    'gives the witness with the call, 6 for 200 balances, and 1 ms once the state is there. ' +
    'Cold start: by the clock, from the navigation of a page at an origin that the engine has not seen ' +
    'to the proven balance behind the proxy, over a node beside it that has no lp_callProof.',
  async run({ rounds, log }) {
    const all = [...recordedCalls(), ...(await madeCalls(TIMES))]
    log('calls: native')
    const native = await measureNativeCalls(all, { profile: 'bench', seconds: 1 })
    /** @type {Row[]} */
    const rows = []
    /** @type {Record<string, string>} */
    const cases = {}
    for (const recorded of all) {
      log(`calls: ${recorded.title}`)
      const [ours, theirs] = await Promise.all([prepareOurs(recorded), prepareEthereumjs(recorded)])
      const gas = Number(await theirs()) / 1e6
      cases[recorded.id] = `${recorded.title}, ${gas.toFixed(gas < 0.1 ? 3 : 1)} Mgas`
      const [own, peer] = await measure([ours, theirs], rounds)
      if (own === undefined || peer === undefined) throw new Error('an engine gave no samples')
      const base = { system: 'calls', case: recorded.id, proofBytes: bytesOf(recorded) }
      const medianUs = us(median(own.samples))
      const line = native.get(recorded.id)
      rows.push({ ...base, engine: OURS.id, runs: own.runs, medianUs, ratioToOurs: null })
      if (line !== undefined) {
        const ratioToOurs = us(line.medianUs / median(own.samples))
        const { runs } = line
        rows.push({ ...base, engine: NATIVE.id, runs, medianUs: us(line.medianUs), ratioToOurs })
      }
      rows.push({
        ...base,
        engine: PEER.id,
        runs: peer.runs,
        medianUs: us(median(peer.samples)),
        ratioToOurs: us(pairedRatio(peer.samples, own.samples)),
      })
      for (const [engine, shown] of Object.entries(await roundsOf(recorded)))
        rows.push({ ...base, engine, runs: 1, medianUs: 0, ratioToOurs: null, shown })
    }
    const [balance] = all.filter(({ id }) => id === 'made-balance')
    if (balance === undefined) throw new Error('no call for a page')
    log('calls: cold start in browsers')
    for (const [name, samples] of await measureColdCall(balance, Math.min(rounds, OPENED))) {
      const id = `cold-${name}`
      cases[id] = `cold start of a page’s first call, ${name}`
      const [runs, medianUs] = [samples.length, us(median(samples) * 1000)]
      const own = { system: 'calls', case: id, proofBytes: bytesOf(balance), engine: OURS.id }
      rows.push({ ...own, runs, medianUs, ratioToOurs: null })
    }
    const named = [OURS, NATIVE, PEER, CLIENT, OFFERED].map(({ id, title }) => [id, title])
    return { rows, titles: { cases, engines: Object.fromEntries(named) } }
  },
}

/** @param {number} value */
const us = (value) => Math.round(value * 100) / 100

/**
 * What a client asks that knows the block's hash alone, by the column.
 *
 * @param {import('../lib/callState.mjs').RecordedCall} recorded
 * @returns {Promise<Record<string, string>>}
 */
async function roundsOf(recorded) {
  const shown = async (/** @type {boolean} */ offers) => {
    const { rounds, requests, bytes } = await runByClient(recorded, { offers })
    return `${rounds} (${requests} requests, ${bytes.toLocaleString('en')} B)`
  }
  // Of a recorded block nothing can be proven but what the call reads, and a client asks for more.
  const own = recorded.id.startsWith('made-') ? { [CLIENT.id]: await shown(false) } : {}
  // Only a call alone is asked for with its witness.
  return recorded.calls.length > 1 ? own : { ...own, [OFFERED.id]: await shown(true) }
}
