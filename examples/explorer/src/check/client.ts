/** From the form's text to a client. */

import {
  type BadProof,
  type Chain,
  type Client,
  type ClientOptions,
  createClient,
  type DevnetConsensus,
  defineChain,
  devnet,
  type HeaderProof,
  hoodi,
  InputError,
  indexedDbStore,
  mainnet,
  type Systems,
  sepolia,
} from 'lightproof'
import { followedChain } from 'lightproof/follows'
import { printable } from 'lightproof/printable'
import { type FieldName, fieldNames, isIdle, QUESTION, type Settings } from '../form/settings.js'
import type { Meter } from './meter.js'

/** A client, and the signed headers that it was given, in their order. */
export interface Followed {
  readonly client: Client
  readonly trail: HeaderProof[]
}

let last: (Followed & { readonly key: string }) | undefined
let bad: BadProof | undefined

/** The last bad proof that a client of this page heard of since the one before was taken. */
export function takeBadProof(): BadProof | undefined {
  const taken = bad
  bad = undefined
  return taken
}

function onBadProof(heard: BadProof): void {
  bad = heard
}

/**
 * The client of these settings. The one of the last question is kept: it knows the headers that it
 * has followed.
 *
 * @throws {@link InputError} naming what is missing or malformed.
 */
export function clientOf(settings: Settings): Followed {
  const rest = fieldNames.filter((name) => !QUESTION.includes(name))
  const key = JSON.stringify(rest.map((name) => settings[name]))
  // What was proved since the checkpoint stays in this browser, and proves itself again when it is
  // loaded.
  const make = () => makeClient(settings, { store: indexedDbStore() })
  if (last?.key !== key) last = { key, client: make(), trail: [] }
  return last
}

/** A client that knows nothing yet but the checkpoint, so that a liar's every word is heard. */
export function strangerOf(settings: Settings): Followed {
  return { client: makeClient(settings), trail: [] }
}

/** A client of its own, whose requests are told to a meter. */
export function meteredOf(settings: Settings, { fetch }: Meter): Client {
  return makeClient(settings, { fetch })
}

/**
 * Keeps what leads to the newest header: a new beginning replaces all, a newer header the one
 * before.
 */
export function keepProof(trail: HeaderProof[], proof: HeaderProof): void {
  const { form } = proof
  if (form === 'bootstrap' || form === 'import') trail.length = 0
  const isHeader = form === 'finality' || form === 'optimistic'
  const older = isHeader ? trail.findIndex((other) => other.form === form) : -1
  if (older >= 0) trail.splice(older, 1)
  trail.push(proof)
}

function makeClient(
  settings: Settings,
  given: Pick<ClientOptions, 'store' | 'fetch'> = {},
): Client {
  const { trust, anchor, node, beacon } = settings
  const chain = chainOf(settings)
  const { store, ...rest } = given
  const other = followedOf(settings, rest)
  const common = {
    chain,
    nodes: [node],
    onBadProof,
    ...rest,
    ...(other && { follows: followedChain(other, { crossCheck: CROSS_CHECKED }) }),
  }
  if (trust === 'block') return createClient({ ...common, anchor: { block: anchor } })
  if (trust !== 'checkpoint') {
    throw new InputError(
      'input.option',
      'trust',
      `expected checkpoint or block, got "${printable(trust)}"`,
    )
  }
  return createClient({
    ...common,
    anchor: { checkpoint: anchor },
    ...(chain.kind === 'ethereum' ? { beacons: [beacon] } : {}),
    ...(store === undefined ? {} : { store }),
  })
}

/** Is every answer compared with another chain? */
export function isFollowing(settings: Settings): boolean {
  return settings.follows !== '' && !isIdle('follows', settings)
}

/** Values of an answer that are proven a second time on the chain that is followed. */
const CROSS_CHECKED = 16

/**
 * A client of the Ethereum chain that the operators follow; undefined where none is named.
 *
 * @throws {@link InputError} naming what is missing or malformed of it.
 */
export function followedOf(
  settings: Settings,
  given: Pick<ClientOptions, 'fetch'> = {},
): Client | undefined {
  const { follows, upstream, origin } = settings
  if (!isFollowing(settings)) return undefined
  try {
    const chain = NETWORKS[follows] ?? privateOf(follows)
    return createClient({ chain, anchor: { block: origin }, nodes: [upstream], ...given })
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    const problem = error.message.replace(`${error.argument}: `, '')
    throw new InputError(error.code, `followed.${error.argument}`, problem, { cause: error })
  }
}

const NETWORKS: Readonly<Record<string, Chain>> = { mainnet, sepolia, hoodi }

/**
 * The chain of the settings.
 *
 * @throws {@link InputError} naming what is missing or malformed.
 */
export function chainOf({ chain, genesis, committee, systems }: Settings): Chain {
  if (chain === 'devnet') {
    const usual = attestedOf(genesis, committee) ?? devnet(genesis, committeeOf(committee))
    return systems === '' ? usual : defineChain({ ...usual, systems: announced(systems) })
  }
  if (chain === 'private') return privateOf(genesis)
  const found = NETWORKS[chain]
  if (found === undefined) {
    throw new InputError('input.chain', 'chain', `no chain is called "${printable(chain)}"`)
  }
  return found
}

/** Rules under which blocks have blobs. */
const WITH_BLOBS: readonly string[] = ['cancun', 'prague', 'osaka', 'amsterdam']

/**
 * `1337@0x…`: chain id and genesis hash; and the rules of all its blocks, where calls are to be
 * run: `1337@0x…/osaka:5007716`, with the divisor of the blob base fee's exponent.
 */
function privateOf(text: string): Chain {
  const form = /^(\d{1,15})@(0x[0-9a-f]{64})(?:\/([a-z]+)(?::(\d{1,10}))?)?$/i
  const [, chainId, genesisHash = '', rules, divisor] = form.exec(text) ?? []
  if (chainId === undefined) {
    const problem = `expected a chain id and a genesis hash, 1337@0x…, got "${printable(text)}"`
    throw new InputError('input.chain', 'chain.genesisHash', problem)
  }
  if (rules !== undefined && WITH_BLOBS.includes(rules) !== (divisor !== undefined)) {
    const problem = `expected the divisor of the blob base fee since Cancun, and none before, got "${printable(text)}"`
    throw new InputError('input.chain', 'chain.genesisHash', problem)
  }
  const blobs = divisor === undefined ? {} : { blobFraction: Number(divisor) }
  const forks = rules === undefined ? {} : { forks: [{ rules, block: 0, ...blobs }] }
  return defineChain({
    name: 'private',
    kind: 'ethereum',
    chainId: Number(chainId),
    genesisHash,
    ...forks,
  })
}

/**
 * `operators/64` and a chain id, `operators/64@1337`: blocks of a period in which operators attest.
 */
function attestedOf(genesisHash: string, text: string): Chain | undefined {
  const [, length, id] = /^operators\/(\d+)@(\d+)$/.exec(text) ?? []
  if (length === undefined) return undefined
  const consensus = { periodLength: Number(length) }
  const chainId = Number(id)
  return defineChain({ name: 'attested', kind: 'attested', chainId, genesisHash, consensus })
}

/** `32/64`: keys of a committee, and blocks for which it signs. */
function committeeOf(text: string): DevnetConsensus {
  const [, size, length] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  if (size === undefined || length === undefined) {
    const problem = `expected keys and blocks, such as 32/64, or operators/64@CHAINID, got "${printable(text)}"`
    throw new InputError('input.chain', 'chain.consensus', problem)
  }
  return { committeeSize: Number(size), periodLength: Number(length) }
}

/** What a devnet's operator announces as `systems`: JSON. */
function announced(text: string): Systems {
  try {
    return JSON.parse(text) as Systems
  } catch (cause) {
    const problem = `expected the JSON that the devnet announced, got "${printable(text)}"`
    throw new InputError('input.chain', 'chain.systems', problem, { cause })
  }
}

/** The form's field behind an argument of the client, such as `nodes[0]` or `anchor.block`. */
export function fieldOf(argument: string): FieldName {
  if (argument.startsWith('followed.nodes')) return 'upstream'
  if (argument.startsWith('followed.anchor')) return 'origin'
  if (argument.startsWith('followed.')) return 'follows'
  const starts: readonly (readonly [string, FieldName])[] = [
    ['nodes', 'node'],
    ['beacons', 'beacon'],
    ['anchor', 'anchor'],
    ['system', 'system'],
    ['slot', 'slot'],
    ['fromBlock', 'from'],
    ['toBlock', 'to'],
    ['keys', 'positions'],
    ['data', 'data'],
    ['token', 'token'],
    ['trust', 'trust'],
  ]
  if (argument.endsWith('genesisHash')) return 'genesis'
  // What `call` says of a chain without rules.
  if (argument === 'client' || argument.startsWith('forks')) return 'genesis'
  if (argument === 'from') return 'sender'
  if (argument.includes('consensus')) return 'committee'
  if (argument.includes('systems')) return 'systems'
  if (argument.endsWith('.slot')) return 'slot'
  const found = starts.find(([start]) => argument.startsWith(start))
  if (found !== undefined) return found[1]
  return argument.startsWith('chain') ? 'chain' : 'address'
}
