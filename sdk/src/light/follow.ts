/**
 * One source of signed headers followed: from what the client holds to the newest that the source
 * has.
 */

import { bytesOf } from '../encoding/hex.js'
import { ProofError, UnavailableError } from '../result/errors.js'
import type { HeaderEvidence } from '../result/file.js'
import { CLOCK_DRIFT_SECONDS, clockBehind, clockPeriod, isAhead, nowSeconds } from './clock.js'
import { evidenceOf, type Sent } from './evidence.js'
import type { Job } from './flight.js'
import { forkUnknown } from './forks.js'
import { isSafe, type LightClient, type LightState, openLight } from './handle.js'
import type { Light } from './light.js'
import { checkAge } from './limits.js'
import type { HeaderSource, SignedBytes } from './source.js'

/**
 * Runs tasks one after the other: where two sources are asked at once, the client takes one thing
 * at a time.
 */
export type Turn = <T>(task: () => Promise<T>) => Promise<T>

/** A source that is being followed. */
export interface Run {
  readonly light: Light
  readonly client: LightClient
  readonly source: HeaderSource
  readonly job: Job
  readonly turn: Turn
  /** When it answered last, or what it sent was checked; of `performance.now()`. */
  heardAt: number
  /** Evidence of the bad proof for which it was left. */
  evidence: HeaderEvidence | undefined
  /** What it sent shows that the local clock is wrong. */
  clock: UnavailableError | undefined
  /**
   * It sent a header of a period that lies in the clock's future, and that the client has not come
   * to.
   */
  beyond: ProofError | undefined
}

type Form = Exclude<Sent['form'], 'bootstrap'>

/**
 * Follows a source to its end. @throws ProofError, TransportError, RpcError, UnavailableError;
 * PlatformError
 */
export async function follow(run: Run): Promise<void> {
  const { light } = run
  if (light.state === undefined) await start(run)
  checkAge(light)
  await followPeriods(run, false)
  await takeNewest(run)
  if (run.beyond === undefined) return
  // Is the source wrong, or the clock? The committees on the way know.
  run.beyond = undefined
  await followPeriods(run, true)
  await takeNewest(run)
  if (run.beyond !== undefined && run.clock === undefined) throw run.beyond
}

async function start(run: Run): Promise<void> {
  const { light, client, source } = run
  report(run, 'bootstrap')
  const sent = await ask(run, (signal) => source.bootstrap(light.checkpoint, signal))
  await take(run, { form: 'bootstrap', ...sent }, async () => {
    // Another source may have been quicker; to start over would lose what was proved since.
    if (light.state !== undefined) return
    light.state = await client.bootstrap(light.checkpoint, sent.bytes)
    light.checkpointTime = light.state.finalized.timestamp
  })
}

/**
 * One update a period, until the committee of the clock's period is known, or the source has no
 * more.
 */
async function followPeriods(run: Run, beyondClock: boolean): Promise<void> {
  const { light, source } = run
  for (;;) {
    const start = nextPeriod(light.state)
    const goal = beyondClock ? undefined : clockPeriod(light)
    const left = goal === undefined ? BigInt(light.pageSize) : goal - start + 1n
    if (left <= 0n) return
    const count = left < light.pageSize ? Number(left) : light.pageSize
    report(run, 'updates')
    const updates = await ask(run, (signal) => source.updates(start, count, signal))
    for (const [i, update] of updates.slice(0, count).entries()) {
      // An update takes tens of milliseconds to check: let the page breathe, and stop where it is
      // wanted.
      await new Promise((resolve) => setTimeout(resolve))
      // One that another source brought meanwhile is known.
      await apply(run, 'update', update, () => nextPeriod(light.state) > start + BigInt(i))
      report(run, 'updates')
    }
    if (nextPeriod(light.state) === start) return
  }
}

/** The period whose update brings the client on. */
function nextPeriod(state: LightState | undefined): bigint {
  if (state === undefined) return 0n
  return state.nextKnown ? state.period + 1n : state.period
}

async function takeNewest(run: Run): Promise<void> {
  const { light, source } = run
  report(run, 'newest')
  for (const form of ['finality', 'optimistic'] as const) {
    const period = light.state?.period
    const sent = await ask(run, (signal) => source[form](signal))
    // Where another source led into the next period meanwhile, it may be of the one before.
    if (sent !== undefined) await apply(run, form, sent, () => light.state?.period !== period)
  }
}

async function ask<T>(run: Run, question: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal } = run.job
  signal.throwIfAborted()
  const answer = await question(signal)
  signal.throwIfAborted()
  run.heardAt = performance.now()
  return answer
}

/**
 * Checks an update, and takes what it proves. What is old is no lie: it moves nothing.
 *
 * @param isOvertaken - whether another source brought the client on since this one was asked.
 */
async function apply(
  run: Run,
  form: Form,
  sent: SignedBytes,
  isOvertaken: () => boolean,
): Promise<void> {
  const { light, client, source } = run
  const now = BigInt(nowSeconds() + CLOCK_DRIFT_SECONDS)
  await take(run, { form, ...sent, now }, async () => {
    if (isOvertaken()) return
    const { root } = light.state?.head ?? {}
    try {
      light.state = (await client.apply(form, sent.bytes, now)).state
    } catch (error) {
      if (!(error instanceof ProofError)) throw error
      if (error.code === 'verify.time') await takeAhead(run, form, sent.bytes, error)
      else if (!isOld(form, error)) throw error
    }
    if (light.state?.head.root !== root) light.source = source.name
  })
}

/**
 * Machines behind one URL may have different heads: the newest header of one that is behind is of a
 * period whose committee the client let go. Nobody was shown to lie, and the client holds more.
 */
function isOld(form: Form, { code }: ProofError): boolean {
  return code === 'verify.relevance' || (code === 'verify.period' && form !== 'update')
}

const NO_CLOCK = 2n ** 64n - 1n

/**
 * A header from the future that two thirds of a committee signed says that the clock is wrong, not
 * that the source lies. What it makes final is taken, if that is not from the future too; the head
 * is not answered from as long as it is ahead. Signed by fewer it says nothing.
 *
 * @throws the given error of a header that does not hold.
 */
async function takeAhead(
  run: Run,
  form: Form,
  bytes: Uint8Array,
  error: ProofError,
): Promise<void> {
  const { light, client } = run
  const kept = await client.export()
  // After a forced step nothing is there to try it on.
  if (light.state === undefined || kept.length === 0) return
  const trial = await openLight(light.chain)
  try {
    await trial.import(kept, bytesOf(light.state.anchorRoot))
    const { participation, state } = await trial.apply(form, bytes, NO_CLOCK)
    if (!isSafe(participation)) return
    const time = Number(state.head.timestamp)
    light.seenTime = Math.max(light.seenTime, time)
    run.clock = clockBehind(time - nowSeconds())
    if (!isAhead(state.finalized)) light.state = (await client.apply(form, bytes, NO_CLOCK)).state
  } catch (cause) {
    if (!(cause instanceof ProofError)) throw cause
    if (cause.code === 'verify.relevance') return
    if (cause.code !== 'verify.period') throw error
    run.beyond = error
  } finally {
    trial.free()
  }
}

/** Has the client take what a source sent, in its turn. */
async function take(run: Run, sent: Sent & SignedBytes, task: () => Promise<void>): Promise<void> {
  const { light, client, source, job, turn } = run
  await turn(async () => {
    job.signal.throwIfAborted()
    const { form, bytes, unknownFork } = sent
    const pinned = form === 'bootstrap' ? { pinned: light.checkpoint } : {}
    job.emit({ type: 'proof', proof: { form, bytes, ...pinned }, source: source.name })
    try {
      await task()
    } catch (error) {
      const isRefused = error instanceof ProofError || error instanceof UnavailableError
      if (isRefused && unknownFork !== undefined) {
        throw forkUnknown(source.name, unknownFork, error)
      }
      if (!(error instanceof ProofError)) throw error
      run.evidence = await evidenceOf(light, client, sent, source.name, error)
      throw error
    }
  })
  run.heardAt = performance.now()
}

function report({ light, source, job }: Run, phase: 'bootstrap' | 'updates' | 'newest'): void {
  const goal = clockPeriod(light)
  const periods = goal === undefined ? undefined : Number(goal)
  const period = Number(light.state?.period ?? 0n)
  job.emit({ type: 'progress', phase, period, periods, source: source.name })
}
