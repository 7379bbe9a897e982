/** From what a light client holds to the newest signed header, by the first source that leads there. */

import { Failures, isNodeError } from '../core/failures.js'
import { bytesOf } from '../encoding/hex.js'
import { InputError, PlatformError, ProofError } from '../errors.js'
import type { Evidence } from '../file.js'
import { noteFailure, noteServed, ranked } from '../transport/health.js'
import {
  CLOCK_DRIFT_SECONDS,
  checkAge,
  clockBehind,
  clockPeriod,
  lagOf,
  nowSeconds,
  slotSeconds,
} from './clock.js'
import { evidenceOf, type Sent } from './evidence.js'
import type { Job } from './flight.js'
import { type LightClient, openLight } from './handle.js'
import { restore, save } from './keep.js'
import type { HeaderProof, Light } from './light.js'
import type { HeaderSource } from './source.js'

/** Failures of a sync, kept for the report; thrown where the sync led nowhere. */
export class SyncFailure extends Error {
  override readonly name = 'SyncFailure'
  readonly failures: Failures
  readonly evidence: readonly Evidence[]

  constructor(failures: Failures, evidence: readonly Evidence[]) {
    super('no source of headers could be followed')
    this.failures = failures
    this.evidence = evidence
  }
}

type Form = 'update' | 'finality' | 'optimistic'

/** Slots behind the clock after which the next source is asked too: this one may hold headers back. */
const PATIENCE_SLOTS = 64

/**
 * Brings a light client up to date; one whose worker ended starts over, from its store or the checkpoint.
 *
 * @throws SyncFailure, the signal's reason, InputError, PlatformError
 */
export async function advance(
  light: Light,
  sources: readonly HeaderSource[],
  job: Job,
): Promise<void> {
  try {
    await advanceOnce(light, sources, job)
  } catch (error) {
    if (!(error instanceof PlatformError) || error.code !== 'platform.worker') throw error
    job.signal.throwIfAborted()
    Object.assign(light, { client: undefined, state: undefined, points: undefined })
    await advanceOnce(light, sources, job)
  }
}

async function advanceOnce(
  light: Light,
  sources: readonly HeaderSource[],
  job: Job,
): Promise<void> {
  const failures = new Failures()
  const evidence: Evidence[] = []
  const before = light.state?.finalized.root
  let followed = false
  light.client ??= await openLight(light.chain)
  if (light.state === undefined) await restore(light, light.client, job)
  for (const source of ranked(sources)) {
    const known = light.state?.head.root
    const pending: Pending = { sent: undefined }
    try {
      await follow(light, light.client, source, job, pending)
      if (light.state?.head.root !== known) light.source = source.name
      followed = true
      noteServed(source)
      if (light.state !== undefined && isFresh(light)) break
    } catch (error) {
      job.signal.throwIfAborted()
      if (!isNodeError(error)) throw error
      const file =
        error instanceof ProofError && pending.sent !== undefined
          ? await evidenceOf(light, light.client, pending.sent, source.name, error)
          : undefined
      if (file !== undefined) evidence.push(file)
      noteFailure(source, failures.add(error, source.name), file, light.onBadProof)
      // What follows from the checkpoint is the same for every source.
      if (error.code === 'expired') break
    }
  }
  light.tried = failures.tried
  light.syncedAt = Date.now()
  await save(light, light.client, before, job)
  if (!followed) throw new SyncFailure(failures, evidence)
}

/** What a source sent and the client is checking, for the evidence. */
interface Pending {
  sent: Sent | undefined
}

function isFresh(light: Light): boolean {
  return light.state !== undefined && lagOf(light.state.head) <= PATIENCE_SLOTS * slotSeconds(light)
}

async function follow(
  light: Light,
  client: LightClient,
  source: HeaderSource,
  job: Job,
  pending: Pending,
): Promise<void> {
  const { signal } = job
  signal.throwIfAborted()
  if (light.state === undefined) {
    report(light, source, job, 'bootstrap')
    const bytes = await source.bootstrap(light.checkpoint, signal)
    signal.throwIfAborted()
    const proof: HeaderProof = { form: 'bootstrap', bytes, pinned: light.checkpoint }
    job.emit({ type: 'proof', proof, source: source.name })
    pending.sent = { form: 'bootstrap', bytes }
    light.state = await client.bootstrap(light.checkpoint, bytes)
    pending.sent = undefined
    light.checkpointTime = light.state.finalized.timestamp
  }
  checkAge(light)
  await followPeriods(light, client, source, job, pending)
  report(light, source, job, 'newest')
  const take = (form: Form, bytes: Uint8Array): Promise<boolean> => {
    job.emit({ type: 'proof', proof: { form, bytes }, source: source.name })
    return apply(light, client, form, bytes, pending)
  }
  const finality = await source.finality(signal)
  signal.throwIfAborted()
  if (finality !== undefined) await take('finality', finality)
  const optimistic = await source.optimistic(signal)
  signal.throwIfAborted()
  if (optimistic !== undefined) await take('optimistic', optimistic)
}

/** One update a period, until the committee of the clock's period is known, or the source has no more. */
async function followPeriods(
  light: Light,
  client: LightClient,
  source: HeaderSource,
  job: Job,
  pending: Pending,
): Promise<void> {
  for (;;) {
    const { state } = light
    if (state === undefined) return
    const start = state.nextKnown ? state.period + 1n : state.period
    const goal = clockPeriod(light)
    const left = goal === undefined ? BigInt(light.pageSize) : goal - start + 1n
    if (left <= 0n) return
    const count = left < light.pageSize ? Number(left) : light.pageSize
    report(light, source, job, 'updates')
    const updates = await source.updates(start, count, job.signal)
    let moved = false
    for (const update of updates.slice(0, count)) {
      // An update takes tens of milliseconds to check: let the page breathe, and stop where it is wanted.
      await new Promise((resolve) => setTimeout(resolve))
      job.signal.throwIfAborted()
      const proof: HeaderProof = { form: 'update', bytes: update }
      job.emit({ type: 'proof', proof, source: source.name })
      if (await apply(light, client, 'update', update, pending)) moved = true
      report(light, source, job, 'updates')
    }
    if (!moved) return
  }
}

function report(
  light: Light,
  { name }: HeaderSource,
  { emit }: Job,
  phase: 'bootstrap' | 'updates' | 'newest',
): void {
  const goal = clockPeriod(light)
  const periods = goal === undefined ? undefined : Number(goal)
  const period = Number(light.state?.period ?? 0n)
  emit({ type: 'progress', phase, period, periods, source: name })
}

/** Did the client move? What is old is no lie: it moves nothing. */
async function apply(
  light: Light,
  client: LightClient,
  form: Form,
  bytes: Uint8Array,
  pending: Pending,
): Promise<boolean> {
  const now = BigInt(nowSeconds() + CLOCK_DRIFT_SECONDS)
  pending.sent = { form, bytes, now }
  try {
    const { moved, state } = await client.apply(form, bytes, now)
    light.state = state
    pending.sent = undefined
    return moved
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    if (error.code === 'verify.relevance') {
      pending.sent = undefined
      return false
    }
    if (error.code === 'verify.time') await checkClock(light, client, form, bytes)
    throw error
  }
}

const NO_CLOCK = 2n ** 64n - 1n

/** A header from the future that is truly signed says that the clock is wrong, not that the source lies. */
async function checkClock(
  light: Light,
  client: LightClient,
  form: Form,
  bytes: Uint8Array,
): Promise<void> {
  const { state } = light
  if (state === undefined) return
  const trial = await openLight(light.chain)
  try {
    await trial.import(await client.export(), bytesOf(state.anchorRoot))
    const { timestamp } = (await trial.apply(form, bytes, NO_CLOCK)).state.head
    throw clockBehind(Math.max(1, Number(timestamp) - nowSeconds()))
  } catch (error) {
    if (error instanceof ProofError || error instanceof InputError) return
    throw error
  } finally {
    trial.free()
  }
}
