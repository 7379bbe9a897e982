#!/usr/bin/env node
/**
 * The tour (`npm start`): builds, starts Lightproof's full node, follows its signed headers from a
 * checkpoint, prints what each system proves, refuses a lie about each, and serves the proof
 * explorer and the example wallet until Ctrl-C.
 *
 *   node scripts/start.mjs [--follow] [--once]
 *
 * --once: leave after the table. --follow: the tour of a live Ethereum chain, which geth makes and
 * our node follows.
 */
import { writeFile } from 'node:fs/promises'
import { startNode } from '../examples/tour/node.mjs'
import { serveStatic } from './engines/serve.mjs'
import { buildGeth, findGeth, gethObstacle } from './lib/geth.mjs'
import { flags } from './lib/program.mjs'
import { at, followerProgram, tourProgram } from './lib/repo.mjs'
import { stopAll } from './lib/run.mjs'
import { printFailure, step } from './lib/steps.mjs'
import { table } from './lib/table.mjs'
import { setup } from './setup.mjs'

/** @typedef {import('../examples/tour/node.mjs').Ready} Ready */

const PREFILL = 24
/** Short, so that committees hand over while somebody watches. */
const PERIOD = 8
/** The node's default block time. */
const SECONDS_PER_BLOCK = 2
/**
 * A link to the proof explorer that proposes a node and a checkpoint.
 *
 * @param {string} page
 * @param {Ready} node announced the checkpoint to trust
 * @param {string} [url] serves the data
 */
function pageFor(page, node, url = node.url) {
  const { committeeSize, periodLength } = node.consensus
  // A contract with a slot that every system has a value of.
  const { address = '', slots = [] } = node.samples.find(({ kind }) => kind === 'contract') ?? {}
  const query = new URLSearchParams({
    chain: 'devnet',
    node: url,
    genesis: node.genesisHash,
    committee: `${committeeSize}/${periodLength}`,
    trust: 'checkpoint',
    anchor: node.checkpoint.hash,
    address,
    slot: slots[0] ?? '',
    positions: '0-7',
  })
  return `${page}/#${query}`
}

/**
 * Configures the example wallet and the example extension for a node.
 *
 * @param {Ready} node
 */
async function configureWallets({ url, genesisHash, consensus, checkpoint }) {
  const config = { genesisHash, consensus, checkpoint: checkpoint.hash, nodes: [url] }
  for (const name of ['browser-wallet', 'extension']) {
    await writeFile(at('examples', name, 'dist', 'devnet.json'), JSON.stringify(config))
  }
}

async function main() {
  const { follow, once = false } = flags('npm start [-- [--follow] [--once]]', {
    follow: { type: 'boolean' },
    once: { type: 'boolean' },
  })
  if (follow) return tourBesideGeth(once)
  // Only what the tour needs; what the explorer needs beside it is built meanwhile.
  await setup(process.env.LIGHTPROOF_NODE === undefined ? ['tourNode', 'tour'] : ['tour'])
  process.env.LIGHTPROOF_NODE ??= tourProgram()
  const later = once ? Promise.resolve() : setup(['later'])
  // Reported where it is waited for.
  later.catch(() => undefined)
  const demo = await import('../examples/tour/devnet.mjs')

  console.log('Tour')
  // The blocks made at once are dated back, so that the newest one is of now.
  const bornAt = Math.floor(Date.now() / 1000) - PREFILL * SECONDS_PER_BLOCK
  const node = await step('start a full node', () =>
    startNode({ prefill: PREFILL, bornAt, period: PERIOD }),
  )
  const client = demo.clientOf(node)
  const synced = await step('follow the signed headers from a checkpoint', () =>
    demo.follow(client),
  )
  const facts = await step('ask for facts of six systems, and check their proofs', () =>
    demo.proveFacts(client, node),
  )
  const newer = await step('wait for a newer block, and prove a fact of it', () =>
    demo.proveNewer(client, node),
  )
  const refused = await step('ask where the node lies', () => demo.refuseLies(node))

  const { checkpoint } = node
  const { finalized, headLagSeconds } = synced
  const head = ['system', 'fact', 'block', 'proof bytes', 'verify time', 'vouched for by']
  console.log(`
  You trust   block ${checkpoint.number}, ${checkpoint.hash} (${synced.anchor.ageSeconds} s old)
              A checkpoint, read from the node's own console: not over the connection that is being checked.
  It proves   block ${finalized.slot}, ${finalized.root} (${headLagSeconds} s behind this clock)
              Signed by ${demo.signers(synced)}, of a committee that the one before it signed for.
              These keys are INSECURE: they follow from a seed.
  From there  every fact below is proven. REFUSED are lies that the node tells on request.

${table([head, ...facts, newer, ...refused])}
`)
  if (once) {
    await stopAll()
    process.exit()
  }

  await later
  await setup(['examples'])
  const page = await serveStatic(at('examples', 'explorer', 'dist'))
  await configureWallets(node)
  const wallet = await serveStatic(at('examples', 'browser-wallet', 'dist'))
  const lying = (/** @type {string} */ lie) => pageFor(page.url, node, demo.lyingUrl(node, lie))
  console.log(`  The proof explorer, all six systems:  ${pageFor(page.url, node)}
  The same page, and a false balance:   ${lying('claim-balance')}
  The same page, and forged signatures: ${lying('signature-own-keys')}
  A wallet to copy, on the same node:   ${wallet.url}
  The same as an extension, to load:    ${at('examples', 'extension', 'dist')}

  A link only proposes what to trust. The explorer shows that, and asks nobody before you confirm it: compare the
  trusted hash with the checkpoint above.

  Blocks are produced until Ctrl-C.`)
}

/**
 * The tour of a live Ethereum chain.
 *
 * @param {boolean} once
 */
async function tourBesideGeth(once) {
  const geth = await bringGeth()
  const program = process.env.LIGHTPROOF_FOLLOWER ?? followerProgram()
  await setup(process.env.LIGHTPROOF_FOLLOWER === undefined ? ['follower', 'tour'] : ['tour'])
  const tour = await import('../examples/tour/followed.mjs')
  await tour.show(geth, program)
  if (!once) {
    console.log('  geth makes a block for each transaction, and the node follows, until Ctrl-C.')
    return
  }
  await stopAll()
  process.exit()
}

/**
 * geth, built if it is not there.
 *
 * @throws {Error} that says what is missing
 */
async function bringGeth() {
  const found = findGeth()
  if (found !== undefined) return found
  const obstacle = gethObstacle()
  if (obstacle !== undefined) throw new Error(`This tour runs beside geth, but ${obstacle}.`)
  await step('build geth (once)', buildGeth)
  const built = findGeth()
  if (built === undefined) throw new Error('geth was built, but does not run.')
  return built
}

main().catch(async (error) => {
  printFailure(error)
  await stopAll()
  process.exit(1)
})
