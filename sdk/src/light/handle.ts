/** The core's light client behind typed calls. */

import type { Chain } from '../chains.js'
import { type LightMethod, perform } from '../core/engine.js'
import { type Rejected, rejection } from '../core/rejection.js'
import { encodeChain } from '../core/verifier.js'
import { bytesOf, type Hex } from '../encoding/hex.js'
import type { Hash } from '../encoding/input.js'
import type { Participation } from '../result.js'

/** A header that a committee signed for, or the checkpoint. */
export interface SignedHeader {
  /** Slot of the beacon chain; on a devnet the block's number. */
  readonly slot: bigint
  /** Root of the beacon block; on a devnet the block's hash. */
  readonly root: Hash
  /** Seconds since 1970. */
  readonly timestamp: bigint
  /** null for a checkpoint, which is pinned, not signed. */
  readonly participation: Participation | null
  /** The execution block; null before Capella. Its number is null where the header does not hold it (from Gloas on). */
  readonly block: { readonly hash: Hash; readonly number: bigint | null } | null
}

/** What a light client holds. */
export interface LightState {
  readonly period: bigint
  /** Is the committee of the next period known? */
  readonly nextKnown: boolean
  /** Root of the header that vouches for the committee: what a saved store is checked against. */
  readonly anchorRoot: Hash
  readonly finalized: SignedHeader
  readonly head: SignedHeader
}

/** A light client; a refusal is thrown, and leaves it as it was. */
export interface LightClient {
  /** Starts over from a checkpoint. */
  bootstrap(checkpoint: Hash, bytes: Uint8Array): Promise<LightState>
  /** Checks an update; `now` in seconds since 1970. */
  apply(
    form: 'update' | 'finality' | 'optimistic',
    bytes: Uint8Array,
    now: bigint,
  ): Promise<Applied>
  /** After a whole period without finality: takes the best header that was seen as final. */
  force(now: bigint): Promise<Applied>
  /** Proves what was exported again, under the anchor root that it had then. */
  import(bytes: Uint8Array, anchorRoot: Uint8Array): Promise<LightState>
  /** Empty if there is nothing to keep. */
  export(): Promise<Uint8Array>
  /** The committees' keys, decompressed: saves the work after a restart. */
  points(): Promise<Uint8Array>
  /** Takes them back, each checked against its committee; others are refused. */
  loadPoints(bytes: Uint8Array): Promise<void>
  /** Gives its memory back. */
  free(): void
}

/** An accepted update. */
export interface Applied {
  /** Did the client move? */
  readonly moved: boolean
  readonly state: LightState
}

let lastId = 0

interface HeaderJson {
  readonly slot: Hex
  readonly root: Hash
  readonly timestamp: Hex
  readonly participation: readonly [number, number] | null
  readonly execution: { readonly hash: Hash; readonly number: Hex | null } | null
}

interface Accepted {
  readonly status: 'trusted'
  readonly changed: Readonly<Record<string, boolean>>
  readonly state: {
    readonly period: Hex
    readonly nextKnown: boolean
    readonly anchor: { readonly root: Hash }
    readonly finalized: HeaderJson
    readonly head: HeaderJson
  }
}

/**
 * A light client of the chain, without a checkpoint yet.
 *
 * @throws InputError `input.chain`, PlatformError
 */
export async function openLight(chain: Chain): Promise<LightClient> {
  const id = ++lastId
  const call = (
    method: LightMethod,
    ...args: readonly (string | bigint | Uint8Array)[]
  ): Promise<string | Uint8Array> => perform({ kind: 'light', id, method, args })
  // Which of both a method gives, the core's module says.
  const verdict = async (...given: Parameters<typeof call>): Promise<Applied> =>
    accepted((await call(...given)) as string)
  const bytes = async (method: 'export' | 'points'): Promise<Uint8Array> =>
    (await call(method)) as Uint8Array
  await call('open', encodeChain(chain))
  return {
    bootstrap: async (checkpoint, proof) =>
      (await verdict('bootstrap', bytesOf(checkpoint), proof)).state,
    apply: (form, proof, now) => verdict('apply', form, proof, now),
    force: (now) => verdict('force', now),
    import: async (saved, anchorRoot) => (await verdict('import', saved, anchorRoot)).state,
    export: () => bytes('export'),
    points: () => bytes('points'),
    loadPoints: async (points) => {
      await verdict('loadPoints', points)
    },
    free: () => {
      call('free').catch(() => undefined)
    },
  }
}

function accepted(text: string): Applied {
  const verdict = JSON.parse(text) as Accepted | Rejected
  if (verdict.status !== 'trusted') throw rejection(verdict)
  const { period, nextKnown, anchor, finalized, head } = verdict.state
  return {
    moved: Object.values(verdict.changed).includes(true),
    state: {
      period: BigInt(period),
      nextKnown,
      anchorRoot: anchor.root,
      finalized: parseHeader(finalized),
      head: parseHeader(head),
    },
  }
}

function parseHeader({
  slot,
  root,
  timestamp,
  participation,
  execution,
}: HeaderJson): SignedHeader {
  const signed = participation && { signed: participation[0], of: participation[1] }
  const number = execution?.number ?? null
  return {
    slot: BigInt(slot),
    root,
    timestamp: BigInt(timestamp),
    participation: signed,
    block: execution && { hash: execution.hash, number: number === null ? null : BigInt(number) },
  }
}
