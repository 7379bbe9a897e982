/** What a node's blocks cost, and how fast it answers. */

import { cargoBench } from '../../scripts/lib/cargo.mjs'
import { setup } from '../../scripts/setup.mjs'
import { median } from '../lib/measure.mjs'
import { ALL } from '../lib/questions.mjs'
import { SERVED, startServing } from '../lib/serving.mjs'

/** @typedef {import('../lib/types.js').Row} Row */
/**
 * What the benchmark prints: microseconds of a block, bytes that one adds on disk, and its gas.
 *
 * @typedef {{ id: string, blocks: number, cpuUs: number, wallUs: number, peakBytes: number,
 *   bytes?: number, writes?: number, gas?: number, peakFirstBytes?: number | null }} NativeRow
 */

const CPU = { id: 'node-cpu', title: 'processor time' }
const CLOCK = { id: 'node-clock', title: 'clock' }
const MGAS = { id: 'node-mgas', title: 'Mgas/s' }
const CONNECTIONS = [1, 8, 64]
/** Mgas/s of token transfers that a node follows with every check. */
const TARGET = 200

/**
 * @param {string} profile cargo's
 * @param {{ blocks: number, known: number, writes: number, transfers: number, small: number }} size
 * @returns {Promise<NativeRow[]>}
 */
export function measureBlocks(profile, size) {
  const options = Object.entries(size).flatMap(([name, value]) => [`--${name}`, String(value)])
  return cargoBench('lightproof-node', 'node', profile, options, ['ethereum'])
}

/** Parts of following that are measured without a node. */
const PARTS = new Map([
  ['senders', 'senders recovered'],
  ['k256', 'senders recovered by k256, on one thread'],
  ['roots', 'roots of transactions and receipts'],
  ['memory', 'both and execution, in memory'],
])

/** @param {NativeRow} row */
function titleOf({ id, blocks, wallUs, peakFirstBytes, writes = 0, gas = 0 }) {
  const [kind, what = '', part] = id.split('/')
  const by = what === ALL || what === 'all' ? 'all six systems' : what
  const commits = part === undefined ? '' : `: commits of ${part} in that`
  if (kind === 'write' || kind === 'large')
    return `block of ${writes.toLocaleString('en')} writes, ${by}`
  if (kind === 'catch-up') {
    const block = `block of one transfer caught up with, ${by}`
    if (part !== undefined) return `${block}${commits}`
    const all = `${blocks.toLocaleString('en')} of them took ${((blocks * wallUs) / 1e6).toFixed(0)} s`
    if (typeof peakFirstBytes !== 'number') return `${block}: ${all}`
    return `${block}: ${all}, peak memory after 1,000 ${peakFirstBytes.toLocaleString('en')}`
  }
  const block = `followed block of token transfers, ${(gas / 1e6).toFixed(1)} Mgas`
  return `${block}: ${PARTS.get(what) ?? `whole, ${by}${commits}`}`
}

/**
 * Gas by the clock. Of a system's commits it says nothing: they are a part.
 *
 * @param {NativeRow} row
 */
function mgasOf({ id, wallUs, gas = 0 }) {
  return id.split('/').length > 2 || gas === 0 ? undefined : gas / wallUs
}

/** @type {import('../lib/types.js').OwnSuite} */
export const suite = {
  system: 'node',
  title: 'a node',
  peer: 'peak memory',
  about:
    'A block, or an answer with the proof of one value. Bytes: what a block adds to keys and values ' +
    'in the database and to the files beside it, or an answer’s. Of a block’s writes a sixth are ' +
    'accounts, the others slots; 600 accounts and 3,000 slots are as many as mainnet’s. Half of ' +
    'them are new to a state of 20,000 and 100,000. Every node of these rows is a process of its ' +
    'own, without what made its chain and without its upstream; what a whole row has beyond its ' +
    'parts is fetching, decoding, keeping the block and making it durable. Answers a second come ' +
    'over HTTP from a node with all systems, by the clock, the client on the same processors; in ' +
    'brackets p50 and p99 of what one is waited for. Each question of a row is new to the node, ' +
    'unless it was asked before: then it is one of 64.',
  async run({ rounds, log }) {
    log('node: blocks')
    const native = await measureBlocks('bench', {
      blocks: 8,
      known: 20_000,
      writes: 100_000,
      transfers: 400,
      small: 10_000,
    })
    /** @type {Row[]} */
    const rows = []
    /** @type {Record<string, string>} */
    const cases = {}
    for (const row of native) {
      cases[row.id] = titleOf(row)
      const { id, bytes = 0, peakBytes, cpuUs, wallUs, blocks: runs } = row
      const base = {
        ...{ system: 'node', case: id, runs, ratioToOurs: null },
        ...{ proofBytes: bytes, peerBytes: peakBytes },
      }
      rows.push({ ...base, engine: CPU.id, medianUs: Math.round(cpuUs) })
      rows.push({ ...base, engine: CLOCK.id, medianUs: Math.round(wallUs) })
      const mgas = mgasOf(row)
      if (mgas === undefined || id.startsWith('catch-up')) continue
      const shown = mgas.toFixed(0)
      rows.push({ ...base, engine: MGAS.id, medianUs: Math.round(wallUs), shown })
    }
    await setup(['node'])
    const ask = await startServing(64)
    let worst = 0
    for (const system of SERVED) {
      log(`node: answers of ${system}`)
      cases[system] = `answer, ${system}`
      // What is repeated has been asked then, and what a system prepares for many is ready.
      await ask(system, 64, 192)
      for (const connections of CONNECTIONS) {
        const { us } = await ask(system, connections, connections)
        // As many as some seconds suffice for.
        const count = Math.min(20 * Math.max(connections, 8), Math.max(connections, 2e6 / us))
        const taken = []
        for (let i = 0; i < Math.min(rounds, 5); i++)
          taken.push(await ask(system, connections, count))
        const medianUs = Math.round(median(taken.map(({ us }) => us)))
        const waits = taken.flatMap(({ waits }) => waits).sort((a, b) => a - b)
        const [half, most] = [0.5, 0.99].map((part) => waits[Math.floor(waits.length * part)] ?? 0)
        worst = Math.max(worst, (most ?? 0) / (half ?? 1))
        const base = { system: 'node', case: system, proofBytes: taken[0]?.bytes ?? 0 }
        const runs = Math.round(taken.length * count)
        const speed = (1e6 / medianUs).toFixed(medianUs > 1e5 ? 1 : 0)
        const shown = `${speed}/s (${half?.toFixed(1)}, ${most?.toFixed(1)} ms)`
        const engine = `node-${connections}`
        rows.push({ ...base, engine, medianUs, shown, runs, ratioToOurs: null })
      }
    }
    const columns = CONNECTIONS.map((count) => [
      `node-${count}`,
      `${count} connection${count === 1 ? '' : 's'}`,
    ])
    const engines = [CPU, CLOCK, MGAS].map(({ id, title }) => [id, title])
    const titles = { cases, engines: Object.fromEntries([...engines, ...columns]) }
    const note = `${noteOn(native)} Of answers, p99 is at most ${worst.toFixed(1)} times p50.`
    return { rows, titles, note }
  },
}

/**
 * Whether the target of following holds.
 *
 * @param {readonly NativeRow[]} rows
 */
function noteOn(rows) {
  const speed = (/** @type {string} */ id) =>
    mgasOf(
      rows.find((row) => row.id === id) ?? { id, blocks: 0, cpuUs: 0, wallUs: 1, peakBytes: 0 },
    )
  const [one = 0, all = 0] = [speed('follow/mpt'), speed('follow/all')]
  const verdict = one >= TARGET ? 'holds' : 'does not hold'
  return (
    `The target is ${TARGET} Mgas/s of token transfers followed with every check: in this run it ` +
    `${verdict} for a chain of mpt (${one.toFixed(0)}); with all six systems it is ${all.toFixed(0)}.`
  )
}
