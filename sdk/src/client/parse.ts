/** The options of a client, parsed one by one. */

import {
  type Hash,
  isRecord,
  parseHash,
  parseInteger,
  parseOptions,
  parseSeconds,
  unexpected,
} from '../encoding/input.js'
import type { LightOptions } from '../light/light.js'
import { InputError } from '../result/errors.js'
import type { Cache } from '../store/cache.js'
import type { Store } from '../store/store.js'
import { parseEndpoints } from '../transport/endpoint.js'
import type { BadProofListener } from '../transport/health.js'
import type { Endpoint, HttpLimits } from '../transport/http.js'
import type { Chain } from './chains.js'
import type { FollowedChain, NodeAnchor } from './types.js'

export function parseHedge(value: unknown): number | undefined {
  if (value === Number.POSITIVE_INFINITY) return undefined
  return parseInteger(value, 'hedgeMs', { min: 0, max: 600_000, fallback: 3000 })
}

export function parseDeadline(value: unknown): number {
  if (value === Number.POSITIVE_INFINITY) return value
  return parseInteger(value, 'deadlineMs', { min: 1, max: 3_600_000, fallback: 30_000 })
}

export function parseCache(
  value: unknown,
  store: Store | undefined,
  chain: Chain,
): Cache | undefined {
  const maxBytes = parseInteger(value, 'cacheBytes', { min: 0, max: 1 << 30, fallback: 1 << 24 })
  return maxBytes === 0
    ? undefined
    : { maxBytes, store, genesisHash: chain.genesisHash, opened: undefined }
}

export function parseListener(value: unknown): BadProofListener | undefined {
  if (value === undefined || typeof value === 'function')
    return value as BadProofListener | undefined
  throw unexpected('input.option', 'onBadProof', 'a function', value)
}

/** @throws InputError */
export function parseFollows(value: unknown, { kind }: Chain): FollowedChain | undefined {
  const { compare } = isRecord(value) ? value : {}
  if (value === undefined || (typeof compare === 'function' && kind !== 'ethereum')) {
    return value as FollowedChain | undefined
  }
  const problem = 'expected a followedChain(), for a chain that is not Ethereum'
  throw new InputError('input.option', 'follows', problem)
}

export type Anchor =
  | { readonly kind: 'block'; readonly hash: Hash }
  | {
      readonly kind: 'checkpoint'
      readonly hash: Hash
      readonly maxAgeSeconds: number | undefined
    }
  | NodeAnchor

const CODE = 'input.anchor'

export function parseAnchor(value: unknown): Anchor {
  if (value === undefined) {
    const problem =
      'missing: give { checkpoint: "0x…" } or { block: "0x…" }, a hash from a source you trust'
    throw new InputError(CODE, 'anchor', problem)
  }
  // No JSON holds a function: it is trustNode's.
  if (isRecord(value) && typeof value['attach'] === 'function')
    return value as unknown as NodeAnchor
  const given = parseOptions(value, 'anchor', ['block', 'checkpoint', 'maxAgeSeconds'])
  const { block, checkpoint } = given
  if (checkpoint === undefined) {
    if (given.maxAgeSeconds !== undefined) {
      throw new InputError(CODE, 'anchor.maxAgeSeconds', 'only valid with anchor.checkpoint')
    }
    return { kind: 'block', hash: parseHash(block, 'anchor.block', CODE) }
  }
  if (block !== undefined)
    throw new InputError(CODE, 'anchor', 'expected either checkpoint or block, got both')
  const hash = parseHash(checkpoint, 'anchor.checkpoint', CODE)
  if (/^0x0+$/.test(hash))
    throw new InputError(CODE, 'anchor.checkpoint', 'expected a hash that is not zero')
  return {
    kind: 'checkpoint',
    hash,
    maxAgeSeconds: limitOf(given.maxAgeSeconds, 'anchor.maxAgeSeconds'),
  }
}

/** The chain's own limit if it is left out. */
function limitOf(value: unknown, argument: string): number | undefined {
  return value === undefined ? undefined : parseSeconds(value, argument)
}

const MOST_UPDATES = 128
/**
 * JSON of one update with 512 keys is a little less; a devnet's brings a proof of 96 bytes with
 * each.
 */
const UPDATE_BYTES = { ethereum: 64 * 1024, devnet: 160 * 1024, attested: 160 * 1024 } as const

export function parseLight(
  chain: Chain,
  { hash, maxAgeSeconds }: Extract<Anchor, { kind: 'checkpoint' }>,
  given: {
    readonly [key in 'beacons' | 'maxFinalLagSeconds' | 'maxHeadLagSeconds']?: unknown
  } & {
    readonly store: Store | undefined
    readonly onBadProof: BadProofListener | undefined
    readonly hedgeMs: number | undefined
  },
  limits: HttpLimits,
): LightOptions {
  if (chain.consensus === undefined) {
    const problem = 'missing: anchor.checkpoint needs committees'
    throw new InputError('input.chain', 'chain.consensus', problem)
  }
  const fit = Math.floor(limits.maxBytes / UPDATE_BYTES[chain.kind])
  return {
    chain,
    checkpoint: hash,
    maxAgeSeconds,
    maxFinalLagSeconds: limitOf(given.maxFinalLagSeconds, 'maxFinalLagSeconds'),
    maxHeadLagSeconds: limitOf(given.maxHeadLagSeconds, 'maxHeadLagSeconds'),
    beacons: parseBeacons(chain, given.beacons, limits),
    store: given.store,
    onBadProof: given.onBadProof,
    pageSize: Math.max(1, Math.min(MOST_UPDATES, fit)),
    hedgeMs: given.hedgeMs,
  }
}

function parseBeacons({ kind }: Chain, beacons: unknown, limits: HttpLimits): Endpoint[] {
  if (kind === 'ethereum') return parseEndpoints(beacons, 'beacons', limits)
  if (beacons === undefined) return []
  throw new InputError(
    'input.option',
    'beacons',
    "only on Ethereum: a devnet's nodes serve signed headers",
  )
}

export function parseStore(value: unknown): Store | undefined {
  const has = (key: string): boolean => isRecord(value) && typeof value[key] === 'function'
  if (value === undefined || (has('load') && has('save') && has('remove'))) {
    return value as Store | undefined
  }
  throw new InputError('input.option', 'store', 'expected an object with load, save and remove')
}
