/** What a node's blocks cost, and how fast it answers. */

import { cargoBench } from '../../scripts/lib/cargo.mjs'
import { setup } from '../../scripts/setup.mjs'
import { median } from '../lib/measure.mjs'
import { SERVED, startServing } from '../lib/serving.mjs'

/** @typedef {import('../lib/types.js').Row} Row */
/**
 * @typedef {{ id: string, cpuUs: number, wallUs: number, bytes: number, peakBytes: number,
 *   gas?: number }} NativeRow
 */

const CPU = { id: 'node-cpu', title: 'processor time' }
const CLOCK = { id: 'node-clock', title: 'clock' }
const CONNECTIONS = [1, 8, 64]
const ALL = 'balanceproofs,cole,lmpt,lvmt,mpt,verkle'

/**
 * @param {string} profile cargo's
 * @param {{ blocks: number, known: number, transfers: number, small: number }} size
 * @returns {Promise<NativeRow[]>}
 */
export function measureBlocks(profile, size) {
  const options = Object.entries(size).flatMap(([name, value]) => [`--${name}`, String(value)])
  return cargoBench('lightproof-node', 'node', profile, options, ['ethereum'])
}

/** @param {NativeRow} row */
function titleOf({ id, gas = 0 }) {
  const [kind = '', what = ''] = id.split('/')
  const by = what === ALL || what === 'all' ? 'all six systems' : what
  if (kind === 'write') return `block of 3,600 writes, ${by}`
  if (kind === 'catch-up') return `followed block of one transfer, ${by}`
  const block = `followed block of token transfers, ${(gas / 1e6).toFixed(1)} Mgas`
  if (what === 'senders') return `${block}: senders recovered`
  if (what === 'execution') return `${block}: that and execution, in memory`
  return `${block}: whole, ${by}`
}

/** @type {import('../lib/types.js').OwnSuite} */
export const suite = {
  system: 'node',
  title: 'a node',
  peer: 'peak memory',
  about:
    'A block, or an answer with the proof of one value. Bytes: on disk a block, and of an answer. ' +
    'A block of writes has 600 accounts and 3,000 slots, as many as mainnet’s; half of them are ' +
    'new to a state of 20,000 and 100,000. Every row of blocks is a process of its own. Answers ' +
    'come over HTTP from a node with all systems, by the clock, the client on the same processors.',
  async run({ rounds, log }) {
    log('node: blocks')
    const native = await measureBlocks('bench', {
      blocks: 8,
      known: 20_000,
      transfers: 400,
      small: 10_000,
    })
    /** @type {Row[]} */
    const rows = []
    /** @type {Record<string, string>} */
    const cases = {}
    for (const row of native) {
      cases[row.id] = titleOf(row)
      const { id, bytes, peakBytes, cpuUs, wallUs } = row
      const base = { system: 'node', case: id, proofBytes: bytes, peerBytes: peakBytes, runs: 8 }
      rows.push({ ...base, engine: CPU.id, medianUs: Math.round(cpuUs), ratioToOurs: null })
      rows.push({ ...base, engine: CLOCK.id, medianUs: Math.round(wallUs), ratioToOurs: null })
    }
    await setup(['node'])
    const ask = await startServing(64)
    for (const system of SERVED) {
      log(`node: answers of ${system}`)
      cases[system] = `answer, ${system}`
      for (const connections of CONNECTIONS) {
        // As many as some seconds suffice for.
        const { us } = await ask(system, connections, connections)
        const count = Math.min(20 * Math.max(connections, 8), Math.max(connections, 2e6 / us))
        const taken = []
        for (let i = 0; i < Math.min(rounds, 5); i++)
          taken.push(await ask(system, connections, count))
        const medianUs = Math.round(median(taken.map(({ us }) => us)))
        const base = { system: 'node', case: system, proofBytes: taken[0]?.bytes ?? 0 }
        const runs = Math.round(taken.length * count)
        rows.push({ ...base, engine: `node-${connections}`, medianUs, runs, ratioToOurs: null })
      }
    }
    const columns = CONNECTIONS.map((count) => [
      `node-${count}`,
      `${count} connection${count === 1 ? '' : 's'}`,
    ])
    const engines = [CPU, CLOCK].map(({ id, title }) => [id, title])
    return { rows, titles: { cases, engines: Object.fromEntries([...engines, ...columns]) } }
  },
}
