/** The core's light client behind typed calls. */

import type { Chain } from '../client/chains.js'
import { encodeChain } from '../encoding/chain.js'
import { bytesOf, type Hex } from '../encoding/hex.js'
import type { Hash } from '../encoding/input.js'
import { type LightMethod, perform } from '../proving/engine.js'
import { type Rejected, rejection } from '../proving/rejection.js'
import type { Participation } from '../result/result.js'

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
  /**
   * The execution block; null before Capella. Its number is null where the header does not hold it
   * (from Gloas on).
   */
  readonly block: { readonly hash: Hash; readonly number: bigint | null } | null
}

/** What a light client holds. */
export interface LightState {
  readonly period: bigint
  /** Is the committee of the next period known? */
  readonly nextKnown: boolean
  /**
   * Did it go on without finality since it was given its checkpoint? Whom it believes now follows
   * from that step.
   */
  readonly forced: boolean
  /** Root of the header that vouches for the committee: what a saved store is checked against. */
  readonly anchorRoot: Hash
  /**
   * Does it vouch for the committee after its own period? The checkpoint does not; each signed
   * header that hands over does.
   */
  readonly anchorOfNext: boolean
  readonly finalized: SignedHeader
  /**
   * The newest header that at least two thirds of a committee signed; the final one, where none is
   * newer. What fewer signed is shown to nobody: a single member's lie would be among it.
   */
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
  /**
   * After a whole period without finality: takes the best header that was seen as final, if two
   * thirds signed it; else ProofError `verify.participation`.
   */
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
interface Applied {
  /** Did the client move? */
  readonly moved: boolean
  /** Who signed; null of what is not signed. */
  readonly participation: Participation | null
  readonly state: LightState
}

let lastId = 0

type Counted = readonly [signed: number, of: number] | null

interface HeaderJson {
  readonly slot: Hex
  readonly root: Hash
  readonly timestamp: Hex
  readonly participation: Counted
  readonly execution: { readonly hash: Hash; readonly number: Hex | null } | null
}

interface Accepted {
  readonly status: 'trusted'
  readonly changed: Readonly<Record<string, boolean>>
  readonly participation: Counted
  readonly state: {
    readonly period: Hex
    readonly nextKnown: boolean
    readonly forced: boolean
    readonly anchor: { readonly root: Hash; readonly ofNext: boolean }
    readonly finalized: HeaderJson
    readonly safe: HeaderJson
  }
}

/**
 * A light client of the chain, without a checkpoint yet.
 *
 * @throws InputError `input.chain`, PlatformError
 */
export async function openLight(chain: Chain): Promise<LightClient> {
  const id = ++lastId
  // What a method gives, the core's module says.
  const call = <A>(
    method: LightMethod,
    ...args: readonly (string | bigint | Uint8Array)[]
  ): Promise<A> => perform<A>({ kind: 'light', id, method, args })
  const verdict = async (...given: Parameters<typeof call>): Promise<Applied> =>
    accepted(await call<Accepted | Rejected>(...given))
  await call('open', encodeChain(chain))
  return {
    bootstrap: async (checkpoint, proof) =>
      (await verdict('bootstrap', bytesOf(checkpoint), proof)).state,
    apply: (form, proof, now) => verdict('apply', form, proof, now),
    force: (now) => verdict('force', now),
    import: async (saved, anchorRoot) => (await verdict('import', saved, anchorRoot)).state,
    export: () => call<Uint8Array>('export'),
    points: () => call<Uint8Array>('points'),
    loadPoints: async (points) => {
      await verdict('loadPoints', points)
    },
    free: () => {
      call('free').catch(() => undefined)
    },
  }
}

function accepted(verdict: Accepted | Rejected): Applied {
  if (verdict.status !== 'trusted') throw rejection(verdict)
  const { period, nextKnown, forced, anchor, finalized, safe } = verdict.state
  return {
    moved: Object.values(verdict.changed).includes(true),
    participation: parseParticipation(verdict.participation),
    state: {
      period: BigInt(period),
      nextKnown,
      forced,
      anchorRoot: anchor.root,
      anchorOfNext: anchor.ofNext,
      finalized: parseHeader(finalized),
      head: parseHeader(safe),
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
  const number = execution?.number ?? null
  return {
    slot: BigInt(slot),
    root,
    timestamp: BigInt(timestamp),
    participation: parseParticipation(participation),
    block: execution && { hash: execution.hash, number: number === null ? null : BigInt(number) },
  }
}

function parseParticipation(counted: Counted): Participation | null {
  return counted && { signed: counted[0], of: counted[1] }
}

/** Whether two thirds of the committee signed, so that a false header needs as many. */
export function isSafe(participation: Participation | null): boolean {
  return participation !== null && 3 * participation.signed >= 2 * participation.of
}
