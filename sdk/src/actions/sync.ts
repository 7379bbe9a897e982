import type { Client } from '../client/client.js'
import type { Hash } from '../encoding/input.js'
import type { SyncListener } from '../light/events.js'
import type { SignedHeader } from '../light/handle.js'
import { secondsSince } from '../proving/trust.js'
import { InputError } from '../result/errors.js'
import type { Invalid, Tried, Unavailable } from '../result/result.js'
import { loadPart } from '../wasm/part.js'
import { parseParameters, parseSignal } from './parameters.js'

/** How to sync. */
export interface SyncParameters {
  /** Hears what happens meanwhile. */
  readonly onProgress?: SyncListener
  /**
   * Whether to go on where the chain has finalized nothing for a whole period (27 hours): the best
   * header that two thirds of a committee signed then stands in for a final one. Everything is
   * reported with finality `forced` from then on, until a client starts from a checkpoint again.
   * Default false.
   */
  readonly force?: boolean
  /** Aborts the action, which then throws the signal's reason. */
  readonly signal?: AbortSignal
}

/** A client knows the newest headers that were signed. */
export interface Synced {
  readonly status: 'synced'
  /** The newest final header. */
  readonly finalized: SignedHeader
  /**
   * The newest header that two thirds of a committee signed, which may be left in a fork yet; on a
   * devnet the same. Where the local clock is behind (`tried` says `clock`), it may be ahead of it:
   * nothing is answered from it then.
   */
  readonly head: SignedHeader
  /** Which committee signs: the period of the final header. */
  readonly period: bigint
  readonly anchor: {
    readonly kind: 'checkpoint'
    readonly hash: Hash
    /** Seconds from the checkpoint to the local clock. */
    readonly ageSeconds: number
  }
  /** Seconds from the final header to the local clock. */
  readonly finalLagSeconds: number
  /** Seconds from the head to the local clock. */
  readonly headLagSeconds: number
  /** Did the client go on without finality, by `force`, since it was given its checkpoint? */
  readonly forced: boolean
  /**
   * Sources that failed: a `verify.*` code marks a liar. `clock`: what the source sent shows that
   * the local clock is behind.
   */
  readonly tried: readonly Tried[]
}

/**
 * Follows the chain's committees from the checkpoint, or from where the client was, to the newest
 * signed header. Other actions do so by themselves when they need it; this one shows progress, and
 * what is known then.
 *
 * @returns synced, invalid (a source lied, and no other was there; with `force` also
 *   `verify.participation`, if fewer than two thirds signed the best header), or unavailable:
 *   `checkpoint` if no source knows the checkpoint, `expired` if it is too old, `stale` if the
 *   newest headers are further behind than `maxFinalLagSeconds` or `maxHeadLagSeconds`, `clock` if
 *   the local clock is behind, `chain.fork` if the chain has forked beyond what is known here.
 * @throws {@link InputError} if the client has no checkpoint, {@link PlatformError}, or the reason
 *   of an aborted signal.
 */
export async function sync(
  client: Client,
  parameters: SyncParameters = {},
): Promise<Synced | Invalid | Unavailable> {
  const given = parseParameters(client, parameters, ['onProgress', 'force', 'signal'])
  const { onProgress, force = false } = given
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw new InputError('input.option', 'onProgress', 'expected a function')
  }
  if (typeof force !== 'boolean') {
    throw new InputError('input.option', 'force', 'expected true or false')
  }
  const { light, anchor } = client
  if (light === undefined) {
    throw new InputError('input.anchor', 'anchor', 'only a client with a checkpoint can sync')
  }
  const listener = onProgress as SyncParameters['onProgress']
  const { syncNow } = await loadPart(() => import('../light/prepare.js'))
  const signal = parseSignal(given.signal)
  const refusal = await syncNow(client, light, signal, listener, force)
  if (refusal !== undefined) return refusal
  const { state, checkpointTime, tried } = light
  if (state === undefined || checkpointTime === undefined) throw new TypeError('no state')
  const { finalized, head, period, forced } = state
  return {
    status: 'synced',
    finalized,
    head,
    period,
    anchor: {
      kind: 'checkpoint',
      hash: anchor.hash,
      ageSeconds: secondsSince(checkpointTime),
    },
    finalLagSeconds: secondsSince(finalized.timestamp),
    headLagSeconds: secondsSince(head.timestamp),
    forced,
    tried,
  }
}
