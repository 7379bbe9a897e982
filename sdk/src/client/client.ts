/**
 * The client: plain data about whom to ask and what to trust. Actions are functions that take it.
 */

import { parseInteger, parseOptions } from '../encoding/input.js'
import { makeLight } from '../light/light.js'
import type { Line } from '../proving/line.js'
import { InputError } from '../result/errors.js'
import { parseEndpoints, parseLimits } from '../transport/endpoint.js'
import { httpNode } from '../transport/rpc.js'
import { parseChain } from './chains.js'
import type { ClientOptions } from './options.js'
import {
  parseAnchor,
  parseCache,
  parseDeadline,
  parseFollows,
  parseHedge,
  parseLight,
  parseListener,
  parseStore,
} from './parse.js'
import type { Client } from './types.js'

export type { Client } from './types.js'

const OPTIONS = [
  'chain',
  'anchor',
  'nodes',
  'beacons',
  'follows',
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
 * const client = createClient({ chain: mainnet, anchor: { block: '0x…' }, nodes:
 * ['https://rpc.example'] })
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
    nodes: parseEndpoints(given.nodes, 'nodes', limits).map(httpNode),
    maxWalk: parseInteger(given.maxWalk, 'maxWalk', { min: 0, max: 1_000_000, fallback: 8192 }),
    hedgeMs,
    deadlineMs: parseDeadline(given.deadlineMs),
    profiles: new Map(),
    onBadProof,
    follows: parseFollows(given.follows, chain),
    cache: parseCache(given.cacheBytes, store, chain),
    light: undefined,
  }
  if (anchor.kind === 'checkpoint') {
    const { kind, hash } = anchor
    const light = parseLight(chain, anchor, { ...given, store, onBadProof, hedgeMs }, limits)
    return { ...client, anchor: { kind, hash }, lines: [], light: makeLight(light) }
  }
  for (const option of ['beacons', 'maxFinalLagSeconds', 'maxHeadLagSeconds'] as const) {
    if (given[option] === undefined) continue
    throw new InputError('input.option', option, 'only valid with anchor.checkpoint')
  }
  if (anchor.kind === 'node') {
    return { ...client, lines: [], ...anchor.attach(chain, client.follows, limits) }
  }
  const pin: Line = { hash: anchor.hash, finality: 'pinned', headers: [] }
  return { ...client, anchor, lines: [pin] }
}
