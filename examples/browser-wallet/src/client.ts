/** From the form's text to a client. */

import {
  type Chain,
  type Client,
  createClient,
  type DevnetConsensus,
  devnet,
  hoodi,
  InputError,
  indexedDbStore,
  mainnet,
  sepolia,
} from 'lightproof'
import type { FieldName, Settings } from './settings.js'

let last: { readonly key: string; readonly client: Client } | undefined

/**
 * The client of these settings. The one of the last question is kept: it knows the headers that it has followed.
 *
 * @throws {@link InputError} naming what is missing or malformed.
 */
export function clientOf({ address: _, ...settings }: Settings): Client {
  const key = JSON.stringify(settings)
  if (last?.key !== key) last = { key, client: makeClient(settings) }
  return last.client
}

function makeClient(settings: Omit<Settings, 'address'>): Client {
  const { trust, anchor, node, beacon } = settings
  const chain = chainOf(settings)
  if (trust === 'block') return createClient({ chain, anchor: { block: anchor }, nodes: [node] })
  if (trust !== 'checkpoint') {
    throw new InputError('input.option', 'trust', `expected checkpoint or block, got "${trust}"`)
  }
  return createClient({
    chain,
    anchor: { checkpoint: anchor },
    nodes: [node],
    ...(chain.kind === 'devnet' ? {} : { beacons: [beacon] }),
    // What was proved since the checkpoint stays in this browser, and proves itself again when it is loaded.
    store: indexedDbStore(),
  })
}

function chainOf({ chain, genesis, committee }: Omit<Settings, 'address'>): Chain {
  const known: Readonly<Record<string, Chain>> = { mainnet, sepolia, hoodi }
  if (chain === 'devnet') return devnet(genesis, committeeOf(committee))
  const found = known[chain]
  if (found === undefined) {
    throw new InputError('input.chain', 'chain', `no chain is called "${chain}"`)
  }
  return found
}

/** `32/64`: keys of a committee, and blocks for which it signs. */
function committeeOf(text: string): DevnetConsensus {
  const [, size, length] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  if (size === undefined || length === undefined) {
    const problem = `expected keys and blocks, such as 32/64, got "${text}"`
    throw new InputError('input.chain', 'chain.consensus', problem)
  }
  return { committeeSize: Number(size), periodLength: Number(length) }
}

/** The form's field behind an argument of the client, such as `nodes[0]` or `anchor.block`. */
export function fieldOf(argument: string): FieldName {
  if (argument.startsWith('nodes')) return 'node'
  if (argument.startsWith('beacons')) return 'beacon'
  if (argument.startsWith('anchor')) return 'anchor'
  if (argument.endsWith('genesisHash')) return 'genesis'
  if (argument.includes('consensus')) return 'committee'
  if (argument === 'trust') return 'trust'
  return argument.startsWith('chain') ? 'chain' : 'address'
}
