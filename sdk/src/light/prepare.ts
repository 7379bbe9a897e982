/**
 * Before a client with a checkpoint is asked anything: is it synced? And which blocks does it trust
 * then? Only such a client loads this file and what it needs.
 */

import type { Client } from '../client/client.js'
import { isBeacon } from '../client/consensus.js'
import type { BlockTarget } from '../proving/at.js'
import { type Line, MAX_LINES } from '../proving/line.js'
import { profileOf } from '../proving/nodes.js'
import { ProofError, UnavailableError } from '../result/errors.js'
import type { Invalid, Unavailable } from '../result/result.js'
import { ranked } from '../transport/health.js'
import { advance, SyncFailure } from './advance.js'
import { beaconSource } from './beacon.js'
import { isAhead, nowSeconds, slotSeconds } from './clock.js'
import { devnetSource } from './devnet.js'
import type { SyncListener } from './events.js'
import { join } from './flight.js'
import type { SignedHeader } from './handle.js'
import type { Light } from './light.js'
import { checkAge, checkFinal, checkHead, checkLag } from './limits.js'
import type { HeaderSource } from './source.js'

/**
 * Syncs the client if it has not synced for a slot. If that fails, it goes on with what it proved
 * before, as long as that is not too old for what is asked about.
 *
 * @returns why nothing can be answered of the block; undefined if something can.
 * @throws the signal's reason, InputError, PlatformError
 */
export async function prepare(
  client: Client,
  light: Light,
  at: BlockTarget,
  signal: AbortSignal | undefined,
): Promise<Invalid | Unavailable | undefined> {
  // Also after a failure: sources that are down must not delay every answer. The clock may be set
  // back.
  const elapsed = Math.abs(Date.now() - light.syncedAt)
  const [node] = ranked(client.nodes)
  // Beside the sync; what it finds is heard where it is asked for.
  if (node) profileOf({ client, node, signal }).catch(() => undefined)
  const isDue = client.lines.length === 0 || elapsed >= slotSeconds(light) * 1000
  const refusal = isDue ? await syncLines(client, light, signal, undefined) : undefined
  if (light.state === undefined) return refusal
  const tooOld = refusalOf(light, () => checkLag(light, at))
  return tooOld ?? (client.lines.length === 0 ? refusal : undefined)
}

/**
 * Syncs now, and renews the blocks that the client trusts.
 *
 * @param force - whether the best signed header may stand in for the finality that is missing since
 *   a whole period.
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
  let failure: Invalid | Unavailable | undefined
  try {
    await run()
    if (force && (await moveUnfinalized(light))) await run()
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof ProofError) failure = { status: 'invalid', error, evidence: [] }
    else if (error instanceof SyncFailure) failure = error.failures.outcome(error.evidence)
    else throw error
  }
  // What was proved before a source failed stays proved.
  const refusal = renewLines(client, light)
  return failure ?? refusal
}

/** The same for a caller who wants to know of all that is too old. */
export async function syncNow(
  client: Client,
  light: Light,
  signal: AbortSignal | undefined,
  onProgress: SyncListener | undefined,
  force: boolean,
): Promise<Invalid | Unavailable | undefined> {
  const refusal = await syncLines(client, light, signal, onProgress, force)
  const check = (): void => {
    checkFinal(light)
    // A head from the future is said in `tried`.
    if (light.state !== undefined && !isAhead(light.state.head)) checkHead(light)
  }
  return refusal ?? refusalOf(light, check)
}

function sourcesOf(client: Client, { chain, beacons }: Light): HeaderSource[] {
  if (chain.kind !== 'ethereum') return client.nodes.map((node) => devnetSource(client, node))
  const { consensus } = chain
  if (consensus === undefined || !isBeacon(consensus)) return []
  return beacons.map((endpoint) => beaconSource(endpoint, consensus))
}

/**
 * The spec's force_update, which nothing but the caller's wish justifies.
 *
 * @throws ProofError `verify.participation` if fewer than two thirds signed the best header.
 */
async function moveUnfinalized(light: Light): Promise<boolean> {
  const verdict = await light.client?.force(BigInt(nowSeconds()))
  if (verdict === undefined || !verdict.moved) return false
  light.state = verdict.state
  return true
}

/** Undefined if what the light client holds is not too old, and passes the check. */
function refusalOf(light: Light, check: () => void): Unavailable | undefined {
  try {
    checkAge(light)
    check()
    return undefined
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    return { status: 'unavailable', error, tried: light.tried }
  }
}

function renewLines({ lines }: Client, light: Light): Unavailable | undefined {
  const { state, tried } = light
  if (state === undefined) return undefined
  const { forced } = state
  const finalized = lineOf(lines, state.finalized, forced ? 'forced' : 'finalized')
  const head = lineOf(lines, state.head, forced ? 'forced' : 'head')
  if (finalized === undefined) {
    const problem = 'the finalized header is from before Capella: it names no block'
    return { status: 'unavailable', error: new UnavailableError('unsupported', problem), tried }
  }
  const newest =
    head === undefined || head.hash === finalized.hash ? [] : [{ ...head, isHead: true }]
  // A head that another one displaced may be in a fork by now: unless it is an ancestor, nobody
  // vouches for it any more.
  const older = lines.filter(({ hash, isHead }) => hash !== finalized.hash && isHead !== true)
  lines.splice(0, lines.length, finalized, ...newest, ...older)
  lines.length = Math.min(lines.length, MAX_LINES)
  return undefined
}

/** Headers that were walked before stay with their block, also when it becomes final. */
function lineOf(
  lines: readonly Line[],
  { block, participation }: SignedHeader,
  finality: Line['finality'],
): Line | undefined {
  if (block === null) return undefined
  const known = lines.find(({ hash }) => hash === block.hash)
  const signed = participation === null ? {} : { participation }
  return {
    hash: block.hash,
    finality: participation === null ? 'pinned' : finality,
    headers: known?.headers ?? [],
    ...(known?.leaps && { leaps: known.leaps }),
    ...signed,
  }
}
