/** Blocks and logs of the past, as a client finds them in a geth of our own. */

import { createClient, defineChain, getBlock, proven } from 'lightproof'
import { getLogs } from 'lightproof/blocks'
import { CHAIN_ID } from '../../examples/tour/devGeth.mjs'
import { buildGeth, findGeth, gethObstacle } from '../../scripts/lib/geth.mjs'
import { countingFetch, LOGS, makeLongChain } from '../lib/gethChain.mjs'
import { median } from '../lib/measure.mjs'

/** @typedef {import('../lib/types.js').Row} Row */
/** @typedef {import('lightproof').Client} Client */

const CPU = { id: 'history-cpu', title: 'processor time' }
const CLOCK = { id: 'history-clock', title: 'clock' }
const BACK = 8_000
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** @param {import('../lib/gethChain.mjs').LongChain} chain */
export function tasksOf({ head, token, receiver, transfers }) {
  const block = Math.max(1, head - BACK)
  /** @param {Client} client */
  const ancestor = async (client) => proven(await getBlock(client, { block }))
  const to = /** @type {const} */ (`0x${receiver.slice(2).toLowerCase().padStart(64, '0')}`)
  const filter = { address: token, topics: [TRANSFER, null, to] }
  const range = { fromBlock: Math.max(1, head - LOGS.blocks + 1), toBlock: head }
  return [
    { id: 'slot', title: `block ${head - block} back, by a proven slot`, run: ancestor },
    {
      id: 'walk',
      title: `block ${head - block} back, by all headers between`,
      refused: 'eth_getProof',
      run: ancestor,
    },
    {
      id: 'logs',
      title: `an address’s transfers in ${range.toBlock - range.fromBlock + 1} blocks`,
      run: async (/** @type {Client} */ client) => {
        const { logs } = proven(await getLogs(client, { ...filter, ...range }))
        const expected = transfers.filter((block) => block >= range.fromBlock)
        if (logs.length !== expected.length) throw new Error(`${logs.length} transfers`)
      },
    },
  ]
}

/**
 * Runs a task with a client that knows one block.
 *
 * @param {import('../lib/gethChain.mjs').LongChain} made
 * @param {ReturnType<typeof tasksOf>[number]} task
 */
export async function runTask({ url, genesisHash, headHash }, { refused, run }) {
  const { fetch, tally } = countingFetch(refused)
  const chain = defineChain({ name: 'dev', kind: 'ethereum', chainId: CHAIN_ID, genesisHash })
  const options = { maxWalk: BACK, timeoutMs: 60_000, deadlineMs: 600_000, fetch }
  const client = createClient({ chain, anchor: { block: headHash }, nodes: [url], ...options })
  const [cpu, began] = [process.cpuUsage(), performance.now()]
  await run(client)
  const { user, system } = process.cpuUsage(cpu)
  return { ...tally, cpuUs: user + system, wallUs: 1000 * (performance.now() - began) }
}

/** @type {import('../lib/types.js').OwnSuite} */
export const suite = {
  system: 'history',
  title: 'history, from one trusted block',
  about:
    'A client that knows the head’s hash and nothing else, and a geth on the same machine. Bytes: ' +
    'all answers, as JSON. A block of this chain holds one transaction at most; a few of the last ' +
    '1,000 hold a transfer that is looked for.',
  async run({ rounds, log }) {
    if (findGeth() === undefined) {
      const obstacle = gethObstacle()
      if (obstacle !== undefined) throw new Error(`history: geth is not there: ${obstacle}`)
      await buildGeth(log)
    }
    log('history: a chain of 8,100 blocks')
    const chain = await makeLongChain(findGeth() ?? '', BACK + 100)
    /** @type {Row[]} */
    const rows = []
    /** @type {Record<string, string>} */
    const cases = {}
    for (const task of tasksOf(chain)) {
      log(`history: ${task.title}`)
      const taken = []
      for (let i = 0; i < Math.min(rounds, 5); i++) taken.push(await runTask(chain, task))
      const [{ requests, bytes } = { requests: 0, bytes: 0 }] = taken
      cases[task.id] = `${task.title}: ${requests} requests`
      const base = { system: 'history', case: task.id, proofBytes: bytes, runs: taken.length }
      const row = (/** @type {typeof CPU} */ { id }, /** @type {number[]} */ times) =>
        rows.push({ ...base, engine: id, medianUs: Math.round(median(times)), ratioToOurs: null })
      row(
        CPU,
        taken.map(({ cpuUs }) => cpuUs),
      )
      row(
        CLOCK,
        taken.map(({ wallUs }) => wallUs),
      )
    }
    const engines = Object.fromEntries([CPU, CLOCK].map(({ id, title }) => [id, title]))
    return { rows, titles: { cases, engines } }
  },
}
