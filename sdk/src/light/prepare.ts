/**
 * Before a client with a checkpoint is asked anything: is it synced? And which blocks does it trust then? Only such a
 * client loads this file and what it needs.
 */

import type { Client } from '../client.js'
import { type Line, MAX_LINES } from '../core/line.js'
import { UnavailableError } from '../errors.js'
import type { Invalid, Unavailable } from '../result.js'
import { advance, SyncFailure } from './advance.js'
import { beaconSource } from './beacon.js'
import { checkAge, checkLag, nowSeconds, slotSeconds } from './clock.js'
import { devnetSource } from './devnet.js'
import { join } from './flight.js'
import type { SignedHeader } from './handle.js'
import type { Light, SyncListener } from './light.js'
import type { HeaderSource } from './source.js'

/**
 * Syncs the client if it has not synced for a slot. If that fails, it goes on with the older head that it trusts, and
 * the report says how old.
 *
 * @returns why no block is trusted; undefined if there is one.
 * @throws the signal's reason, InputError, PlatformError
 */
export async function prepare(
  client: Client,
  light: Light,
  signal: AbortSignal | undefined,
): Promise<Invalid | Unavailable | undefined> {
  // Also after a failure: sources that are down must not delay every answer. The clock may be set back.
  const elapsed = Math.abs(Date.now() - light.syncedAt)
  const isDue = client.lines.length === 0 || elapsed >= slotSeconds(light) * 1000
  const refusal = isDue ? await syncLines(client, light, signal, undefined) : undefined
  if (light.state === undefined) return refusal
  return refusalOf(light) ?? (client.lines.length === 0 ? refusal : undefined)
}

/**
 * Syncs now, and renews the blocks that the client trusts.
 *
 * @param force - whether the best signed header may stand in for the finality that is missing since a whole period.
 */
export async function syncLines(
  client: Client,
  light: Light,
  signal: AbortSignal | undefined,
  onProgress: SyncListener | undefined,
  force = false,
): Promise<Invalid | Unavailable | undefined> {
  const sources = sourcesOf(client, light)
  const run = (): Promise<void> =>
    join(light, (job) => advance(light, sources, job), signal, onProgress)
  try {
    await run()
    if (force && (await moveUnfinalized(light))) await run()
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof SyncFailure)) throw error
    return error.failures.outcome(error.evidence)
  }
  return renewLines(client, light)
}

function sourcesOf(client: Client, { chain, beacons }: Light): HeaderSource[] {
  if (chain.kind === 'devnet') return client.nodes.map((node) => devnetSource(client, node))
  const committeeSize = chain.consensus?.committeeSize ?? 0
  return beacons.map((endpoint) => beaconSource(endpoint, committeeSize))
}

/** The spec's force_update, which nothing but the caller's wish justifies: a minority may have signed that header. */
async function moveUnfinalized(light: Light): Promise<boolean> {
  const verdict = await light.client?.force(BigInt(nowSeconds()))
  if (verdict === undefined || !verdict.moved) return false
  light.state = verdict.state
  light.forced = verdict.state.finalized.root
  return true
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

function renewLines({ lines }: Client, light: Light): Unavailable | undefined {
  const { state, tried, forced } = light
  if (state === undefined) return undefined
  // What was taken as final without its finality is called what it is: signed.
  const finality = state.finalized.root === forced ? 'head' : 'finalized'
  const finalized = lineOf(lines, state.finalized, finality)
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
