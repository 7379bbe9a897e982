/** The light client of a {@link Client} whose anchor is a checkpoint: what it was told, and what it holds. */

import type { Chain } from '../chains.js'
import type { Hex } from '../encoding/hex.js'
import type { Hash } from '../encoding/input.js'
import type { Tried } from '../result.js'
import type { Store } from '../store/store.js'
import type { BadProofListener } from '../transport/health.js'
import type { Endpoint } from '../transport/http.js'
import type { Flight } from './flight.js'
import type { LightClient, LightState } from './handle.js'

/** How a light client works; what the caller said. */
export interface LightOptions {
  readonly chain: Chain
  readonly checkpoint: Hash
  readonly maxAgeSeconds: number
  readonly maxHeadLagSeconds: number
  /** Beacon nodes; a devnet's full nodes serve its signed headers themselves. */
  readonly beacons: readonly Endpoint[]
  readonly store: Store | undefined
  /** Updates that one answer may hold. */
  readonly pageSize: number
  readonly onBadProof: BadProofListener | undefined
}

/** A light client, and what it has proved so far. */
export interface Light extends LightOptions {
  client: LightClient | undefined
  state: LightState | undefined
  /** Seconds since 1970; undefined before the bootstrap. */
  checkpointTime: bigint | undefined
  /** Milliseconds since 1970 of the end of the last sync. */
  syncedAt: number
  /** Who served the newest of what is held: a source, or `store`. */
  source: string | undefined
  /** Sources that failed in the last sync. */
  tried: readonly Tried[]
  /** The keys' points as they were saved or loaded last. */
  points: Uint8Array | undefined
  /** Root of a header that was taken as final without its finality. */
  forced: Hash | undefined
  /** The sync under way. */
  flight: Flight | undefined
}

/** What a light client is about to check: signed headers as a source sent them, or what was kept of them. */
export interface HeaderProof {
  /** `import` is what was kept; the others are as the source's methods. */
  readonly form: 'bootstrap' | 'import' | 'update' | 'finality' | 'optimistic'
  readonly bytes: Uint8Array
  /** The hash under which a bootstrap, or what was kept, must prove itself. */
  readonly pinned?: Hex
}

/** Something that happened while a client synced. */
export type SyncEvent =
  | {
      readonly type: 'proof'
      readonly proof: HeaderProof
      /** The source that sent it, or `store`. */
      readonly source: string
    }
  | {
      readonly type: 'kept'
      /** All that was proven so far, in one: what `store` now holds. */
      readonly proof: HeaderProof
    }
  | {
      readonly type: 'progress'
      /** From the checkpoint, over the committees of each period, to the newest header. */
      readonly phase: 'bootstrap' | 'updates' | 'newest'
      /** The period that was reached. */
      readonly period: number
      /** The period to reach; undefined where the clock does not tell it (devnets). */
      readonly periods: number | undefined
      /** The source that is asked. */
      readonly source: string
    }
  | {
      readonly type: 'warning'
      /** `store.damaged`: what was saved does not prove itself, and was dropped. The others: the store failed. */
      readonly code: 'store.damaged' | 'store.load' | 'store.save'
      readonly error: unknown
    }

/** Hears what happens while a client syncs. */
export type SyncListener = (event: SyncEvent) => void

/** Makes a light client that has not synced yet. */
export function makeLight(options: LightOptions): Light {
  return {
    ...options,
    client: undefined,
    state: undefined,
    checkpointTime: undefined,
    syncedAt: Number.NEGATIVE_INFINITY,
    source: undefined,
    tried: [],
    points: undefined,
    forced: undefined,
    flight: undefined,
  }
}
