#!/usr/bin/env node
/**
 * The tour (`npm start`): builds, starts Lightproof's full node, runs the light client against it and prints what was
 * proven, refuses a lying node, and serves the browser example until Ctrl-C.
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

const PREFILL = 16
/** The node's default block time. */
const SECONDS_PER_BLOCK = 2
const LIE = 'claim-balance'

/**
 * The address of the browser example, set up for a node.
 *
 * @param {string} page
 * @param {Ready} node serves the data
 * @param {Ready} pinned announced the block to trust
 */
function pageFor(page, node, pinned) {
  const address = pinned.samples.find(({ kind }) => kind === 'eoa')?.address ?? ''
  const query = new URLSearchParams({
    chain: 'devnet',
    node: node.url,
    genesis: pinned.genesisHash,
    anchor: pinned.head.hash,
    address,
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
  const { proveFacts, refuseLie } = await import('./lib/demo.mjs')

  console.log('Tour')
  // The blocks made at once are dated back, so that the newest one is of now.
  const bornAt = Math.floor(Date.now() / 1000) - PREFILL * SECONDS_PER_BLOCK
  const chain = { prefill: PREFILL, bornAt }
  const [honest, liar] = await step('start two full nodes, one of them lying', () =>
    // The same seed and birth make the same chain, so the liar serves real blocks, with false answers about them.
    Promise.all([startNode(chain), startNode({ ...chain, lie: LIE })]),
  )
  const rows = await step('ask them through the light client', async () => [
    ...(await proveFacts(honest)),
    await refuseLie(honest, liar, LIE),
  ])

  const { number, hash } = honest.head
  console.log(`
  Trusted: block ${number}, ${hash}
  This hash was read from the node's own console, out of band: not over the connection that is being checked.
  Everything below was proven from it. The last node answers with a lie (${LIE}).

${table([['fact', 'block', 'proof bytes', 'verify time', 'node'], ...rows])}
`)
  if (once) {
    await stopAll()
    process.exit()
  }

  const page = await serveStatic(at('examples', 'browser-wallet', 'dist'))
  console.log(`  The same client in a browser:        ${pageFor(page.url, honest, honest)}
  The same page, and the lying node:   ${pageFor(page.url, liar, honest)}

  Blocks are produced until Ctrl-C.`)
}

main().catch(async (error) => {
  printFailure(error)
  await stopAll()
  process.exit(1)
})
