/** Before a client with a checkpoint is asked anything: is it synced? And which blocks does it trust then? */

import type { Client } from '../client.js'
import { type Line, MAX_LINES } from '../core/line.js'
import { UnavailableError } from '../errors.js'
import type { Invalid, Unavailable } from '../result.js'
import { advance, SyncFailure } from './advance.js'
import { join } from './flight.js'
import type { SignedHeader } from './handle.js'
import { checkAge, checkLag, type Light, type SyncListener, slotSeconds } from './light.js'

/**
 * Syncs the client if it has not synced for a slot. If that fails, it goes on with the older head that it trusts, and
 * the report says how old.
 *
 * @returns why no block is trusted; undefined if there is one.
 * @throws the signal's reason, InputError, PlatformError
 */
export async function prepare(
  client: Client,
  signal: AbortSignal | undefined,
): Promise<Invalid | Unavailable | undefined> {
  const { light } = client
  if (light === undefined) return undefined
  // Also after a failure: sources that are down must not delay every answer. The clock may be set back.
  const elapsed = Math.abs(Date.now() - light.syncedAt)
  const isDue = client.lines.length === 0 || elapsed >= slotSeconds(light) * 1000
  const refusal = isDue ? await syncLines(client, light, signal, undefined) : undefined
  if (light.state === undefined) return refusal
  return refusalOf(light) ?? (client.lines.length === 0 ? refusal : undefined)
}

/** Syncs now, and renews the blocks that the client trusts. */
export async function syncLines(
  client: Client,
  light: Light,
  signal: AbortSignal | undefined,
  onProgress: SyncListener | undefined,
): Promise<Invalid | Unavailable | undefined> {
  try {
    await join(light, (job) => advance(light, job), signal, onProgress)
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof SyncFailure)) throw error
    return error.failures.outcome([])
  }
  return renewLines(client, light)
}

/** Undefined if what the light client holds is neither too old nor too far behind. */
export function refusalOf(light: Light): Unavailable | undefined {
  try {
    checkAge(light)
    checkLag(light)
    return undefined
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    return { status: 'unavailable', error, tried: light.tried }
  }
}

function renewLines({ lines }: Client, { state, tried }: Light): Unavailable | undefined {
  if (state === undefined) return undefined
  const finalized = lineOf(lines, state.finalized, 'finalized')
  const head = lineOf(lines, state.head, 'head')
  if (finalized === undefined) {
    const problem = 'the finalized header names no execution block: it is from before Capella'
    return { status: 'unavailable', error: new UnavailableError('unsupported', problem), tried }
  }
  const newest = head === undefined || head.hash === finalized.hash ? [] : [head]
  const older = lines.filter(({ hash }) => hash !== finalized.hash && hash !== head?.hash)
  lines.splice(0, lines.length, finalized, ...newest, ...older)
  lines.length = Math.min(lines.length, MAX_LINES)
  return undefined
}

/** Headers that were walked before stay with their block, also when it becomes final. */
function lineOf(
  lines: readonly Line[],
  { block, participation }: SignedHeader,
  finality: 'finalized' | 'head',
): Line | undefined {
  if (block === null) return undefined
  const known = lines.find(({ hash }) => hash === block.hash)
  const signed = participation === null ? {} : { participation }
  return {
    hash: block.hash,
    finality: participation === null ? 'pinned' : finality,
    headers: known?.headers ?? [],
    ...signed,
  }
}
