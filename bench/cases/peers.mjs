/** Light clients beside each other: what they load, how they start, and what they say they do. */

import { median } from '../lib/measure.mjs'
import { installPeers } from '../lib/peers.mjs'
import { CLIENTS } from '../lightClients/clients.mjs'
import { FEATURES } from '../lightClients/features.mjs'
import { firstProof, hasBrowser, readyInNode, readyInPages } from '../lightClients/measure.mjs'

/** @typedef {import('../lib/types.js').Row} Row */
/** @typedef {import('../lightClients/clients.mjs').LightClient} LightClient */

/** Each start takes a process or a page. */
const MAX_ROUNDS = 11

const MEASURED = {
  loads: 'loads in Chromium until ready: bytes, gzip',
  page: 'ready in Chromium',
  node: 'ready in Node.js',
  proof: 'first proof in Node.js, from a pinned block',
}

/** @param {readonly number[]} times in milliseconds */
function spread(times) {
  return `${median(times).toFixed(0)} ms (least ${Math.min(...times).toFixed(0)})`
}

/** @type {import('../lib/types.js').OwnSuite} */
export const suite = {
  system: 'peers',
  title: 'light clients',
  about:
    'Everybody is told to start from a checkpoint of mainnet, and is ready when its first ' +
    'request leaves and the WebAssembly that it has begun to load runs. By the clock, ' +
    'medians, the clients in turn, each in a fresh process or at an origin that the browser ' +
    'has not seen, from a server beside it. Bundles are minified by esbuild; that of ' +
    '@lodestar/light-client for browsers is its package’s own. All run on the main thread. ' +
    'Features are those that each package’s README, types and exports state at this version, ' +
    'read on 2026-11-26; “not said” means that these do not mention it. Packages change: look' +
    ' at theirs.',
  async run({ rounds, log }) {
    await installPeers()
    return measurePeers({ rounds: Math.min(rounds, MAX_ROUNDS), log })
  },
}

/**
 * Rows of what is measured, then of features.
 *
 * @param {{ rounds: number, log: (line: string) => void, clients?: readonly LightClient[] }} options
 */
export async function measurePeers({ rounds, log, clients = CLIENTS }) {
  /** @type {Row[]} */
  const rows = []
  /** @type {(id: string, engine: string, shown: string) => void} */
  const add = (id, engine, shown) => {
    const none = { medianUs: 0, runs: rounds, proofBytes: 0, ratioToOurs: null }
    rows.push({ system: 'peers', case: `peers-${id}`, engine, shown, ...none })
  }
  if (hasBrowser()) {
    log('peers: in Chromium')
    for (const [i, { times, loaded }] of (await readyInPages(clients, rounds)).entries()) {
      const [raw, gzip] = [loaded.raw, loaded.gzip].map((bytes) => bytes.toLocaleString('en'))
      add('loads', clients[i]?.id ?? '', `${raw}, ${gzip}`)
      add('page', clients[i]?.id ?? '', spread(times))
    }
  }
  log('peers: in Node.js')
  /** @type {Map<string, number[]>} */
  const starts = new Map(clients.map(({ id }) => [id, []]))
  const proofs = []
  for (let round = 0; round < rounds; round++) {
    for (const client of clients) starts.get(client.id)?.push(await readyInNode(client))
    proofs.push(await firstProof())
  }
  for (const { id, unproven } of clients) {
    add('node', id, spread(starts.get(id) ?? []))
    add('proof', id, unproven ?? spread(proofs))
  }
  for (const [i, { cells }] of FEATURES.entries()) {
    for (const { id } of clients) add(`feature-${i}`, id, cells[id] ?? '')
  }
  const measured = Object.entries(MEASURED).map(([id, title]) => [`peers-${id}`, title])
  const features = FEATURES.map(({ title }, i) => [`peers-feature-${i}`, title])
  return {
    rows,
    titles: {
      cases: Object.fromEntries([...measured, ...features]),
      engines: Object.fromEntries(clients.map(({ id, title }) => [id, title])),
    },
  }
}
