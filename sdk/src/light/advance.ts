/**
 * From what a light client holds to the newest signed header, by the first sources that lead there.
 */

import { Failures, isNodeError, type NodeError } from '../proving/failures.js'
import { firstOf, outrun } from '../proving/race.js'
import { PlatformError } from '../result/errors.js'
import type { Evidence } from '../result/file.js'
import { abortable } from '../transport/abortable.js'
import { noteFailure, noteServed, ranked } from '../transport/health.js'
import type { Job } from './flight.js'
import { follow, type Run, type Turn } from './follow.js'
import { openLight } from './handle.js'
import { restore, save } from './keep.js'
import type { Light } from './light.js'
import { isFresh } from './limits.js'
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

/**
 * Brings a light client up to date; one whose worker ended, or whose module was replaced, starts
 * over, from its store or the checkpoint, without the sources whose bytes ended it.
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
    const others = sources.filter(({ health }) => health.lastCode !== 'platform.trap')
    await advanceOnce(light, others.length > 0 ? others : sources, job)
  }
}

async function advanceOnce(
  light: Light,
  sources: readonly HeaderSource[],
  job: Job,
): Promise<void> {
  const before = light.state?.finalized.root
  light.client ??= await openLight(light.chain)
  if (light.state === undefined) await restore(light, light.client, job)
  light.seenTime = 0
  const turn = inTurn()
  const asked: Asked = { failures: new Failures(), evidence: [], followed: false }
  try {
    await askAll({ light, client: light.client, turn, job }, ranked(sources), asked)
  } finally {
    // A source that is left may have its last answer checked still.
    await turn(async () => undefined)
  }
  light.tried = asked.failures.tried
  light.syncedAt = Date.now()
  await save(light, light.client, before, job)
  if (!asked.followed) throw new SyncFailure(asked.failures, asked.evidence)
}

function inTurn(): Turn {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const run = last.then(task)
    last = run.catch(() => undefined)
    return run
  }
}

/** What came of asking. */
interface Asked {
  readonly failures: Failures
  readonly evidence: Evidence[]
  /** Was any source followed to its end? */
  followed: boolean
}

/** A source under way. */
interface Runner {
  readonly run: Run
  readonly abort: AbortController
  readonly startedAt: number
  /** Never rejects. */
  readonly end: Promise<{ readonly runner: Runner; readonly error?: unknown }>
}

/**
 * Asks one source after the other until what is held is fresh; where one takes its time, the next
 * one as well.
 */
async function askAll(
  common: Pick<Run, 'light' | 'client' | 'turn' | 'job'>,
  waiting: HeaderSource[],
  asked: Asked,
): Promise<void> {
  const { light, job } = common
  const running: Runner[] = []
  const start = (): void => {
    const source = waiting.shift()
    if (source !== undefined) running.push(runnerOf(common, source))
  }
  const stop = (): void => {
    for (const { abort } of running) abort.abort(job.signal.reason)
  }
  job.signal.addEventListener('abort', stop, { once: true })
  try {
    start()
    while (running.length > 0) {
      const ends = running.map(({ end }) => end)
      const wait = waiting.length > 0 ? patience(running, light.hedgeMs) : undefined
      const ended = await abortable(firstOf(ends, wait), job.signal)
      job.signal.throwIfAborted()
      if (ended === undefined) {
        if (patience(running, light.hedgeMs) === 0) start()
        continue
      }
      const place = running.indexOf(ended.runner)
      running.splice(place, 1)
      const earlier = running.slice(0, place)
      if (!note(light, ended.runner.run, asked, ended.error)) return
      if (asked.followed && isFresh(light)) {
        // Those that were asked before had their time.
        for (const { run } of earlier)
          fail(light, run, asked, outrun(run.source, ended.runner.run.source))
        return
      }
      start()
    }
  } finally {
    job.signal.removeEventListener('abort', stop)
    stop()
  }
}

function runnerOf(
  common: Pick<Run, 'light' | 'client' | 'turn' | 'job'>,
  source: HeaderSource,
): Runner {
  const abort = new AbortController()
  const startedAt = performance.now()
  const run: Run = {
    ...common,
    source,
    job: { ...common.job, signal: abort.signal },
    heardAt: startedAt,
    evidence: undefined,
    clock: undefined,
    beyond: undefined,
  }
  const runner: Runner = {
    run,
    abort,
    startedAt,
    end: follow(run).then(
      () => ({ runner }),
      (error: unknown) => ({ runner, error }),
    ),
  }
  return runner
}

/**
 * A source that goes on answering is given so many times the patience that a silent one is given.
 */
const MOST_HEDGES = 5

/**
 * Milliseconds until the next source is asked as well, unless one ends before; undefined for never.
 */
function patience(running: readonly Runner[], hedgeMs: number | undefined): number | undefined {
  if (hedgeMs === undefined) return undefined
  const due = running.map(({ run, startedAt }) =>
    Math.min(run.heardAt + hedgeMs, startedAt + MOST_HEDGES * hedgeMs),
  )
  return Math.max(0, Math.max(...due) - performance.now())
}

/** Notes how a source ended; false if every other one would end so too. */
function note(light: Light, run: Run, asked: Asked, error: unknown): boolean {
  const { source, clock } = run
  // No fault of the source.
  if (clock !== undefined) asked.failures.add(clock, source.name)
  if (error === undefined) {
    asked.followed = true
    noteServed(source)
    return true
  }
  if (!isNodeError(error)) throw error
  fail(light, run, asked, error)
  // What follows from what is held is the same for every source.
  return error.code !== 'expired' && error.code !== 'clock'
}

function fail(light: Light, { source, evidence }: Run, asked: Asked, error: NodeError): void {
  if (evidence !== undefined) asked.evidence.push(evidence)
  noteFailure(source, asked.failures.add(error, source.name), evidence, light.onBadProof)
}
