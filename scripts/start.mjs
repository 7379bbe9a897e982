#!/usr/bin/env node
/**
 * The tour (`npm start`): builds, starts Lightproof's full node, follows its signed headers from a checkpoint, prints
 * what was proven, refuses nodes that lie, and serves the browser example until Ctrl-C.
 *
 *   node scripts/start.mjs [--once]      --once: leave after the table
 */
import { serveStatic } from './engines/serve.mjs'
import { startNode } from './lib/node.mjs'
import { at } from './lib/repo.mjs'
import { stopAll } from './lib/run.mjs'
import { printFailure, step } from './lib/steps.mjs'
import { table } from './lib/table.mjs'
import { setup } from './setup.mjs'

/** @typedef {import('./lib/node.mjs').Ready} Ready */

const PREFILL = 24
/** Short, so that committees hand over while somebody watches. */
const PERIOD = 8
/** The node's default block time. */
const SECONDS_PER_BLOCK = 2
const LIES = /** @type {const} */ ({
  balance: {
    name: 'claim-balance',
    about: (/** @type {{ address: string }} */ { address }) => `a false balance of ${address}`,
  },
  signature: {
    name: 'signature-own-keys',
    about: () => 'a forged header, signed by keys of the node’s own',
  },
})

/**
 * The address of the proof explorer, set up for a node.
 *
 * @param {string} page
 * @param {Ready} node serves the data
 * @param {Ready} pinned announced the checkpoint to trust
 */
function pageFor(page, node, pinned) {
  const { committeeSize, periodLength } = pinned.consensus
  // A contract with a slot that every system has a value of.
  const { address = '', slots = [] } = pinned.samples.find(({ kind }) => kind === 'contract') ?? {}
  const query = new URLSearchParams({
    chain: 'devnet',
    node: node.url,
    genesis: pinned.genesisHash,
    committee: `${committeeSize}/${periodLength}`,
    trust: 'checkpoint',
    anchor: pinned.checkpoint.hash,
    address,
    slot: slots[0] ?? '',
    positions: '0-7',
  })
  return `${page}/#${query}`
}

/** @param {string[]} args */
function parseOnce(args) {
  if (args.length > 1 || (args.length === 1 && args[0] !== '--once')) {
    throw new Error('usage: npm start [-- --once]')
  }
  return args.length === 1
}

async function main() {
  const once = parseOnce(process.argv.slice(2))
  await setup(['node', 'sdk', 'examples'])
  const { createClient } = await import('lightproof')
  const demo = await import('./lib/demo.mjs')

  console.log('Tour')
  // The blocks made at once are dated back, so that the newest one is of now.
  const bornAt = Math.floor(Date.now() / 1000) - PREFILL * SECONDS_PER_BLOCK
  const chain = { prefill: PREFILL, bornAt, period: PERIOD }
  const [honest, liar, forger] = await step('start three full nodes, two of them lying', () =>
    // The same seed and birth make the same chain, so the liars serve real blocks, with false answers about them.
    Promise.all([
      startNode(chain),
      startNode({ ...chain, lie: LIES.balance.name }),
      startNode({ ...chain, lie: LIES.signature.name }),
    ]),
  )
  const { checkpoint } = honest
  const anchor = { checkpoint: checkpoint.hash }
  const client = createClient({ chain: demo.chainOf(honest), anchor, nodes: [honest.url] })
  const synced = await step('follow the signed headers from a checkpoint', () =>
    demo.follow(client),
  )
  const facts = await step('ask for facts, and check their proofs', () =>
    demo.proveFacts(client, honest),
  )
  const newer = await step('wait for a newer block, and prove a fact of it', () =>
    demo.proveNewer(client, honest),
  )
  const refused = await step('ask the two that lie', () =>
    Promise.all([
      demo.refuseLie(honest, liar, LIES.balance.name, LIES.balance.about),
      demo.refuseLie(honest, forger, LIES.signature.name, LIES.signature.about),
    ]),
  )

  const { finalized, headLagSeconds } = synced
  console.log(`
  You trust   block ${checkpoint.number}, ${checkpoint.hash} (${synced.anchor.ageSeconds} s old)
              A checkpoint, read from the node's own console: not over the connection that is being checked.
  It proves   block ${finalized.slot}, ${finalized.root} (${headLagSeconds} s behind this clock)
              Signed by ${demo.signers(synced)}, of a committee that the one before it signed for.
              These keys are INSECURE: they follow from a seed.
  From there  everything below is proven. The last two nodes lie (${LIES.balance.name}, ${LIES.signature.name}).

${table([['fact', 'block', 'proof bytes', 'verify time', 'node'], ...facts, newer, ...refused])}
`)
  if (once) {
    await stopAll()
    process.exit()
  }

  const page = await serveStatic(at('examples', 'browser-wallet', 'dist'))
  console.log(`  The proof explorer, all six systems:  ${pageFor(page.url, honest, honest)}
  The same page, and a false balance:   ${pageFor(page.url, liar, honest)}
  The same page, and forged signatures: ${pageFor(page.url, forger, honest)}

  Blocks are produced until Ctrl-C.`)
}

main().catch(async (error) => {
  printFailure(error)
  await stopAll()
  process.exit(1)
})
