/** The client: plain data about whom to ask and what to trust. Actions are functions that take it. */

import type { Cache } from './cache/cache.js'
import { type Chain, parseChain } from './chains.js'
import type { Line } from './core/line.js'
import {
  type Hash,
  isRecord,
  parseHash,
  parseInteger,
  parseOptions,
  shown,
} from './encoding/input.js'
import { InputError, type RpcError } from './errors.js'
import { type Light, type LightOptions, makeLight } from './light/light.js'
import type { Store } from './store/store.js'
import type { Shard } from './systems/system.js'
import { parseEndpoints, parseLimits } from './transport/endpoint.js'
import type { BadProofListener } from './transport/health.js'
import type { Endpoint, HttpLimits } from './transport/http.js'
import { httpNode, type Node } from './transport/rpc.js'

/** One block is trusted, and its ancestors. */
export interface BlockAnchor {
  /** Hash of the block. */
  readonly block: string
}

/** A block is trusted, and every later one that the chain's committees sign for, from that block on. */
export interface CheckpointAnchor {
  /** Root of a beacon block that is the first of its epoch and final; on a devnet the hash of a block. */
  readonly checkpoint: string
  /**
   * How old what is known may be. Members of older committees may have left, and have nothing to lose by signing a lie.
   * Default 14 days; `Infinity` for any age.
   */
  readonly maxAgeSeconds?: number
}

/** What {@link createClient} takes. */
export interface ClientOptions {
  /** The chain, from your own configuration: `mainnet`, `devnet(genesisHash)`, `defineChain({…})`. */
  readonly chain: Chain
  /** Where trust starts: a hash that you got from a source you trust, never from a node below. */
  readonly anchor: BlockAnchor | CheckpointAnchor
  /**
   * HTTP JSON-RPC URLs of full nodes, the preferred one first. None is trusted. The next one is asked where one fails; after
   * a failure a node rests for up to a minute, and after a bad proof it is set aside: both are asked only if no other
   * node proves the answer.
   */
  readonly nodes: readonly (string | URL)[]
  /** For a checkpoint on Ethereum: HTTP URLs of beacon nodes that serve light clients. None is trusted. */
  readonly beacons?: readonly (string | URL)[]
  /** Where to keep what was proved, to start from there next time. Default nowhere. */
  readonly store?: Store
  /** For a checkpoint: seconds that the newest signed header may be behind the local clock. Default any. */
  readonly maxHeadLagSeconds?: number
  /** Hears of every bad proof and who sent it, also where another node then proved the answer. */
  readonly onBadProof?: BadProofListener
  /** Stands in for `globalThis.fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** Milliseconds that one attempt at one node may take. Default 10,000. */
  readonly timeoutMs?: number
  /** Bytes that one answer may have. Default 4 MiB. */
  readonly maxBytes?: number
  /** Further attempts at a node after a transport error that may pass. Default 2. */
  readonly retries?: number
  /**
   * Milliseconds without an answer after which the next node is asked as well; the first proven answer wins. Default 3,000;
   * `Infinity`: only once the first has failed.
   */
  readonly hedgeMs?: number
  /** Calls that are made at once travel in one request, at most so many. Default 32; 1 for none but single calls. */
  readonly batchSize?: number
  /** How many blocks the client walks back from the anchor. Default 8,192. */
  readonly maxWalk?: number
  /**
   * Bytes of trie nodes and code that are kept of proofs that held, so that nothing is asked twice. Default 4 MiB; 0 for none.
   */
  readonly cacheBytes?: number
}

/** What a node says that it proves by one system. */
export interface NodeOffer {
  /** Blocks that it has proofs for; the window moves on with the chain. */
  readonly window: { readonly from: bigint; readonly to: bigint } | undefined
  /** The part of the keys that it holds; undefined for all. */
  readonly shard: Shard | undefined
  /** Proof shapes that it serves; undefined if it does not say. */
  readonly variants: readonly string[] | undefined
}

/** What a client learnt about a node, so as not to ask twice; forgotten after ten minutes. Hints, not facts. */
export interface NodeProfile {
  /** Headers that it serves in one answer. */
  readonly headersPerCall: number
  /** Does it take `{ blockHash }` (EIP-1898)? Unknown until tried. */
  takesBlockHash: boolean | undefined
  /** By system; undefined of a node that does not say what it serves. */
  systems: ReadonlyMap<string, NodeOffer> | undefined
  /** Methods that it does not know, with what it said. */
  readonly lacks: Map<string, RpcError>
  /** Milliseconds since 1970. */
  readonly probedAt: number
}

/** A client. Make it with {@link createClient}; its fields are for actions. */
export interface Client {
  readonly chain: Chain
  readonly anchor: { readonly kind: 'block' | 'checkpoint'; readonly hash: Hash }
  readonly nodes: readonly Node[]
  readonly maxWalk: number
  /** Undefined for never. */
  readonly hedgeMs: number | undefined
  /** Trusted blocks with their ancestors, the one that is asked about by default first. */
  readonly lines: Line[]
  /** Where the anchor is a checkpoint. */
  readonly light: Light | undefined
  /** By node name. */
  readonly profiles: Map<string, NodeProfile>
  readonly onBadProof: BadProofListener | undefined
  /** Trie nodes and code of proofs that held. */
  readonly cache: Cache | undefined
}

const OPTIONS = [
  'chain',
  'anchor',
  'nodes',
  'beacons',
  'store',
  'maxHeadLagSeconds',
  'onBadProof',
  'fetch',
  'timeoutMs',
  'maxBytes',
  'retries',
  'hedgeMs',
  'batchSize',
  'maxWalk',
  'cacheBytes',
] as const

/**
 * Makes a client. Nothing is asked of the network until the first action.
 *
 * @example
 * const client = createClient({ chain: mainnet, anchor: { block: '0x…' }, nodes: ['https://rpc.example'] })
 *
 * @throws {@link InputError} naming the option that is missing, unknown or malformed.
 */
export function createClient(options: ClientOptions): Client {
  const given = parseOptions(options, 'options', OPTIONS)
  const chain = parseChain(given.chain, 'chain')
  const anchor = parseAnchor(given.anchor)
  const limits = parseLimits(given)
  const onBadProof = parseListener(given.onBadProof)
  const store = parseStore(given.store)
  const client = {
    chain,
    anchor: { kind: anchor.kind, hash: anchor.hash },
    nodes: parseEndpoints(given.nodes, 'nodes', limits).map(httpNode),
    maxWalk: parseInteger(given.maxWalk, 'maxWalk', { min: 0, max: 1_000_000, fallback: 8192 }),
    hedgeMs: parseHedge(given.hedgeMs),
    profiles: new Map(),
    onBadProof,
    cache: parseCache(given.cacheBytes, store, chain),
  }
  if (anchor.kind === 'checkpoint') {
    return {
      ...client,
      lines: [],
      light: makeLight(parseLight(chain, anchor, { ...given, store, onBadProof }, limits)),
    }
  }
  for (const option of ['beacons', 'maxHeadLagSeconds'] as const) {
    if (given[option] === undefined) continue
    throw new InputError('input.option', option, 'of no use but with anchor.checkpoint')
  }
  const pin: Line = { hash: anchor.hash, finality: 'pinned', headers: [] }
  return { ...client, lines: [pin], light: undefined }
}

function parseHedge(value: unknown): number | undefined {
  if (value === Number.POSITIVE_INFINITY) return undefined
  return parseInteger(value, 'hedgeMs', { min: 0, max: 600_000, fallback: 3000 })
}

function parseCache(value: unknown, store: Store | undefined, chain: Chain): Cache | undefined {
  const maxBytes = parseInteger(value, 'cacheBytes', { min: 0, max: 1 << 30, fallback: 1 << 22 })
  return maxBytes === 0 ? undefined : { maxBytes, store, chain, opened: undefined }
}

function parseListener(value: unknown): BadProofListener | undefined {
  if (value === undefined || typeof value === 'function')
    return value as ClientOptions['onBadProof']
  throw new InputError('input.option', 'onBadProof', `expected a function, got ${shown(value)}`)
}

type Anchor =
  | { readonly kind: 'block'; readonly hash: Hash }
  | { readonly kind: 'checkpoint'; readonly hash: Hash; readonly maxAgeSeconds: number }

const CODE = 'input.anchor'
const FOURTEEN_DAYS = 14 * 24 * 3600

function parseAnchor(value: unknown): Anchor {
  if (value === undefined) {
    const problem =
      'missing: give { checkpoint: "0x…" } or { block: "0x…" }, a hash from a source you trust'
    throw new InputError(CODE, 'anchor', problem)
  }
  const given = parseOptions(value, 'anchor', ['block', 'checkpoint', 'maxAgeSeconds'])
  const { block, checkpoint } = given
  if (checkpoint === undefined) {
    if (given.maxAgeSeconds !== undefined) {
      throw new InputError(CODE, 'anchor.maxAgeSeconds', 'of no use but with a checkpoint')
    }
    return { kind: 'block', hash: parseHash(block, 'anchor.block', CODE) }
  }
  if (block !== undefined) throw new InputError(CODE, 'anchor', 'give one: checkpoint or block')
  const hash = parseHash(checkpoint, 'anchor.checkpoint', CODE)
  if (/^0x0+$/.test(hash)) throw new InputError(CODE, 'anchor.checkpoint', 'is zero')
  const age = given.maxAgeSeconds ?? FOURTEEN_DAYS
  return { kind: 'checkpoint', hash, maxAgeSeconds: parseSeconds(age, 'anchor.maxAgeSeconds') }
}

function parseSeconds(value: unknown, argument: string): number {
  if (typeof value === 'number' && value > 0) return value
  const problem = `expected a positive number of seconds or Infinity, got ${shown(value)}`
  throw new InputError('input.option', argument, problem)
}

const MOST_UPDATES = 128
/** JSON of one update with 512 keys is a little less. */
const UPDATE_BYTES = 64 * 1024

function parseLight(
  chain: Chain,
  { hash, maxAgeSeconds }: Extract<Anchor, { kind: 'checkpoint' }>,
  given: { readonly [key in 'beacons' | 'maxHeadLagSeconds']?: unknown } & {
    readonly store: Store | undefined
    readonly onBadProof: BadProofListener | undefined
  },
  limits: HttpLimits,
): LightOptions {
  if (chain.consensus === undefined) {
    const problem = 'missing: a checkpoint needs to know who signs the headers'
    throw new InputError('input.chain', 'chain.consensus', problem)
  }
  const lag = given.maxHeadLagSeconds ?? Number.POSITIVE_INFINITY
  const fit = Math.floor(limits.maxBytes / UPDATE_BYTES)
  return {
    chain,
    checkpoint: hash,
    maxAgeSeconds,
    maxHeadLagSeconds: parseSeconds(lag, 'maxHeadLagSeconds'),
    beacons: parseBeacons(chain, given.beacons, limits),
    store: given.store,
    onBadProof: given.onBadProof,
    pageSize: Math.max(1, Math.min(MOST_UPDATES, fit)),
  }
}

function parseBeacons({ kind }: Chain, beacons: unknown, limits: HttpLimits): Endpoint[] {
  if (kind === 'ethereum') return parseEndpoints(beacons, 'beacons', limits)
  if (beacons === undefined) return []
  throw new InputError('input.option', 'beacons', "a devnet's nodes serve its headers themselves")
}

function parseStore(value: unknown): Store | undefined {
  const has = (key: string): boolean => isRecord(value) && typeof value[key] === 'function'
  if (value === undefined || (has('load') && has('save') && has('remove'))) {
    return value as Store | undefined
  }
  throw new InputError('input.option', 'store', 'expected load, save and remove')
}
