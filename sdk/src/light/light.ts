/**
 * The light client of a {@link Client} whose anchor is a checkpoint: what it was told, and what it
 * holds.
 */

import type { Chain } from '../client/chains.js'
import type { Hash } from '../encoding/input.js'
import type { Tried } from '../result/result.js'
import type { Store } from '../store/store.js'
import type { BadProofListener } from '../transport/health.js'
import type { Endpoint } from '../transport/http.js'
import type { Flight } from './flight.js'
import type { LightClient, LightState } from './handle.js'

/** How a light client works; what the caller said. */
export interface LightOptions {
  readonly chain: Chain
  readonly checkpoint: Hash
  /** Undefined, as the next two: as the chain's clockwork and forks say. */
  readonly maxAgeSeconds: number | undefined
  readonly maxFinalLagSeconds: number | undefined
  readonly maxHeadLagSeconds: number | undefined
  /** Beacon nodes; a devnet's full nodes serve its signed headers themselves. */
  readonly beacons: readonly Endpoint[]
  readonly store: Store | undefined
  /** Updates that one answer may hold. */
  readonly pageSize: number
  readonly onBadProof: BadProofListener | undefined
  /**
   * Milliseconds without an answer after which the next source is asked as well; undefined for
   * never.
   */
  readonly hedgeMs: number | undefined
}

/** A light client, and what it has proved so far. */
export interface Light extends LightOptions {
  client: LightClient | undefined
  state: LightState | undefined
  /** Seconds since 1970; undefined before the bootstrap. */
  checkpointTime: bigint | undefined
  /** Milliseconds since 1970 of the end of the last sync. */
  syncedAt: number
  /**
   * Seconds since 1970: the newest time that two thirds of a committee signed, of what lies in the
   * clock's future.
   */
  seenTime: number
  /** Who served the newest of what is held: a source, or `store`. */
  source: string | undefined
  /** Sources that failed in the last sync. */
  tried: readonly Tried[]
  /** The keys' points as they were saved or loaded last. */
  points: Uint8Array | undefined
  /** The sync under way. */
  flight: Flight | undefined
}

/** Makes a light client that has not synced yet. */
export function makeLight(options: LightOptions): Light {
  return {
    ...options,
    client: undefined,
    state: undefined,
    checkpointTime: undefined,
    syncedAt: Number.NEGATIVE_INFINITY,
    seenTime: 0,
    source: undefined,
    tried: [],
    points: undefined,
    flight: undefined,
  }
}
