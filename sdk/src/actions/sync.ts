import type { Client } from '../client.js'
import { secondsSince } from '../core/trust.js'
import type { Hash } from '../encoding/input.js'
import { InputError } from '../errors.js'
import type { SignedHeader } from '../light/handle.js'
import type { SyncListener } from '../light/light.js'
import type { Invalid, Tried, Unavailable } from '../result.js'
import { loadPart } from '../wasm/part.js'
import { parseParameters, parseSignal } from './parameters.js'

/** How to sync. */
export interface SyncParameters {
  /** Hears what happens meanwhile. */
  readonly onProgress?: SyncListener
  /**
   * Whether to go on where the chain has finalized nothing for a whole period (27 hours): the best signed header then
   * stands in for a final one, and reports call blocks up to it `head`. Fewer members than usual may have signed it.
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
  /** The newest signed header, which may be left in a fork yet; on a devnet the same. */
  readonly head: SignedHeader
  /** Which committee signs: the period of the final header. */
  readonly period: bigint
  readonly anchor: {
    readonly kind: 'checkpoint'
    readonly hash: Hash
    /** Seconds from the checkpoint to the local clock. */
    readonly ageSeconds: number
  }
  /** Seconds from the head to the local clock. */
  readonly headLagSeconds: number
  /** Sources that failed: a `verify.*` code marks a liar. */
  readonly tried: readonly Tried[]
}

/**
 * Follows the chain's committees from the checkpoint, or from where the client was, to the newest signed header. Other
 * actions do so by themselves when they need it; this one shows progress, and what is known then.
 *
 * @returns synced, invalid (a source lied, and no other was there), or unavailable: `checkpoint` if no source knows the
 * checkpoint, `expired` if it is too old, `stale` if the head is too far behind `maxHeadLagSeconds`, `clock` if the local
 * clock is behind.
 * @throws {@link InputError} if the client has no checkpoint, {@link PlatformError}, or the reason of an aborted signal.
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
  const { refusalOf, syncLines } = await loadPart(() => import('../light/prepare.js'))
  const signal = parseSignal(given.signal)
  const refusal = (await syncLines(client, light, signal, listener, force)) ?? refusalOf(light)
  if (refusal !== undefined) return refusal
  const { state, checkpointTime, tried } = light
  if (state === undefined || checkpointTime === undefined) throw new TypeError('no state')
  const { finalized, head, period } = state
  return {
    status: 'synced',
    finalized,
    head,
    period,
    anchor: { kind: 'checkpoint', hash: anchor.hash, ageSeconds: secondsSince(checkpointTime) },
    headLagSeconds: secondsSince(head.timestamp),
    tried,
  }
}
