/** The client: plain data about whom to ask and what to trust. Actions are functions that take it. */

import type { Cache } from '../cache/cache.js'
import { type Hash, parseInteger, parseOptions } from '../encoding/input.js'
import { type Light, makeLight } from '../light/light.js'
import type { Line } from '../proving/line.js'
import { InputError } from '../result/errors.js'
import { parseEndpoints, parseLimits } from '../transport/endpoint.js'
import type { BadProofListener } from '../transport/health.js'
import { httpNode, type Node } from '../transport/rpc.js'
import { type Chain, parseChain } from './chains.js'
import { type Follows, parseFollows } from './follows.js'
import type { ClientOptions } from './options.js'
import {
  parseAnchor,
  parseCache,
  parseDeadline,
  parseHedge,
  parseLight,
  parseListener,
  parseStore,
} from './parse.js'
import type { NodeProfile } from './profile.js'

/** A client. Make it with {@link createClient}, and give it to actions: all else in it is theirs. */
export interface Client {
  /** The chain that it is of. */
  readonly chain: Chain
  /** Where its trust starts. */
  readonly anchor: { readonly kind: 'block' | 'checkpoint'; readonly hash: Hash }
  /** @internal */
  readonly nodes: readonly Node[]
  /** @internal */
  readonly maxWalk: number
  /** @internal Undefined for never. */
  readonly hedgeMs: number | undefined
  /** @internal Infinity for never. */
  readonly deadlineMs: number
  /** @internal Trusted blocks with their ancestors, the one that is asked about by default first. */
  readonly lines: Line[]
  /** @internal Where the anchor is a checkpoint. */
  readonly light: Light | undefined
  /** @internal By node name. */
  readonly profiles: Map<string, NodeProfile>
  /** @internal */
  readonly onBadProof: BadProofListener | undefined
  /** @internal The chain that this one follows, and what was compared with it. */
  readonly follows: Follows | undefined
  /** @internal Trie nodes and code of proofs that held. */
  readonly cache: Cache | undefined
}

const OPTIONS = [
  'chain',
  'anchor',
  'nodes',
  'beacons',
  'follows',
  'crossCheck',
  'store',
  'maxFinalLagSeconds',
  'maxHeadLagSeconds',
  'onBadProof',
  'fetch',
  'timeoutMs',
  'maxBytes',
  'retries',
  'hedgeMs',
  'deadlineMs',
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
  const hedgeMs = parseHedge(given.hedgeMs)
  const client = {
    chain,
    anchor: { kind: anchor.kind, hash: anchor.hash },
    nodes: parseEndpoints(given.nodes, 'nodes', limits).map(httpNode),
    maxWalk: parseInteger(given.maxWalk, 'maxWalk', { min: 0, max: 1_000_000, fallback: 8192 }),
    hedgeMs,
    deadlineMs: parseDeadline(given.deadlineMs),
    profiles: new Map(),
    onBadProof,
    follows: parseFollows(given.follows, given.crossCheck, chain),
    cache: parseCache(given.cacheBytes, store, chain),
  }
  if (anchor.kind === 'checkpoint') {
    return {
      ...client,
      lines: [],
      light: makeLight(parseLight(chain, anchor, { ...given, store, onBadProof, hedgeMs }, limits)),
    }
  }
  for (const option of ['beacons', 'maxFinalLagSeconds', 'maxHeadLagSeconds'] as const) {
    if (given[option] === undefined) continue
    throw new InputError('input.option', option, 'only valid with anchor.checkpoint')
  }
  const pin: Line = { hash: anchor.hash, finality: 'pinned', headers: [] }
  return { ...client, lines: [pin], light: undefined }
}
