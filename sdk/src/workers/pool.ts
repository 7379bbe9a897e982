/** The main thread's side: a queue of jobs and workers that run one job at a time. */

import { encodeRlp } from '../encoding/rlp.js'
import { type Done, doJob, employ, gone, type Job, type VerifyJob } from '../proving/engine.js'
import { tell } from '../proving/tell.js'
import { HASHED } from '../proving/verifier.js'
import { PlatformError } from '../result/errors.js'
import { givenWasm } from '../wasm/module.js'
import type { Order, Report } from './messages.js'

/** State of the queue. */
export interface WorkProgress {
  /** Jobs that wait for a worker. */
  readonly queued: number
  /** Jobs that are running. */
  readonly running: number
  /** Jobs finished since the start. */
  readonly done: number
}

/** Workers that verify the proofs of this page's or process's clients. */
export interface Workers {
  /** Maximum number of workers; each starts when it is first needed. */
  readonly size: number
  readonly progress: WorkProgress
  /**
   * Terminates the workers; proofs are then verified on this thread. A client that synced from a
   * checkpoint kept its light client in a worker: it syncs again, from its store or from the
   * checkpoint.
   */
  close(): void
}

/** A worker of either platform. */
interface Port {
  post(order: Order): void
  /** Sets whether the worker is busy. An idle worker does not keep the process alive. */
  hold(isBusy: boolean): void
  end(): void
}

/** Starts a worker. */
export type Spawn = (onReport: (report: Report) => void, onEnd: (cause: unknown) => void) => Port

interface Ticket {
  readonly id: number
  readonly job: Job
  /** The worker that holds the job's light client; no other can run it. */
  readonly slot: Slot | undefined
  readonly resolve: (done: Done) => void
  readonly reject: (error: unknown) => void
  readonly signal: AbortSignal | undefined
}

interface Slot {
  port: Port | undefined
  running: Ticket | undefined
  /** Modules that were posted to it, so that it does not fetch them. */
  given: Set<string>
  /** Keys of the verifiers that it was asked for: it has them ready. */
  known: Set<string>
  /** Runs until the first report. */
  timer: ReturnType<typeof setTimeout> | undefined
  /** Whether a worker in this slot has reported before. */
  hasRun: boolean
  deaths: number
  isDead: boolean
}

/**
 * Give up on a worker that has not reported by then: the server may have returned an HTML page
 * instead of its script.
 */
const START_MS = 10_000
/** A worker that reported before is restarted at most this many times. */
const MAX_DEATHS = 3
/**
 * Calls whose signal was aborted may run on for so long; then their worker is ended, for it cannot
 * be interrupted. Most calls end sooner than a worker starts.
 */
const GRACE_MS = 1_000
/** Waiting jobs per worker from which another one starts: it has to compile the modules first. */
const QUEUE_PER_WORKER = 4

/** Bytes of headers or of hashed proofs, or characters of an answer: a few milliseconds at most. */
const SMALL = 65_536

/** Is the job too small to be worth a worker? A proof with equations over curves never is. */
function isSmall(job: Job, limit: number): boolean {
  if (job.kind === 'headers') return job.rlps.length <= limit
  if (job.kind === 'encode') return isShort(job, limit)
  return job.kind === 'verify' && HASHED.has(job.module) && job.claims.length <= limit
}

/** Does the JSON have at most so many values and characters? Reading stops at the limit. */
function isShort(json: unknown, limit: number): boolean {
  let left = limit
  const open = [json]
  while (open.length > 0 && left >= 0) {
    const value = open.pop()
    left -= typeof value === 'string' ? value.length : 1
    if (typeof value !== 'object' || value === null) continue
    for (const inner of Object.values(value)) {
      if (open.push(inner) > left) return false
    }
  }
  return left >= 0
}

/**
 * Makes the workers and has the engine use them, but for small jobs.
 *
 * @param limit - size up to which a job is small.
 */
export function startPool(
  spawn: Spawn,
  size: number,
  onProgress: ((progress: WorkProgress) => void) | undefined,
  limit: number = SMALL,
): Workers {
  const slots: Slot[] = Array.from({ length: size }, () => {
    return {
      port: undefined,
      running: undefined,
      given: new Set(),
      known: new Set(),
      timer: undefined,
      hasRun: false,
      deaths: 0,
      isDead: false,
    }
  })
  /** The slot that holds each light client. */
  const homes = new Map<number, Slot | 'gone'>()
  let queue: Ticket[] = []
  let done = 0
  let lastId = 0

  const progress = (): WorkProgress => {
    const running = slots.filter(({ running }) => running).length
    return { queued: queue.length, running, done }
  }

  const give = (slot: Slot, ticket: Ticket): void => {
    slot.running = ticket
    slot.port ??= open(slot)
    slot.port.hold(true)
    const wasm = Object.entries(givenWasm()).filter(([name]) => !slot.given.has(name))
    if (wasm.length > 0) slot.port.post({ wasm: Object.fromEntries(wasm) })
    for (const [name] of wasm) slot.given.add(name)
    if ('key' in ticket.job) slot.known.add(ticket.job.key)
    slot.port.post({ id: ticket.id, job: ticket.job })
  }

  const isWorth = (slot: Slot, { slot: home }: Ticket): boolean => {
    const running = slots.filter(({ port }) => port).length
    return slot.port !== undefined || home === slot || queue.length > QUEUE_PER_WORKER * running
  }

  const pump = (): void => {
    const free = slots.filter(({ running, isDead }) => !running && !isDead)
    free.sort((a, b) => Number(!a.port) - Number(!b.port))
    for (const slot of free) {
      const next = queue.find((ticket) => ticket.slot === undefined || ticket.slot === slot)
      if (next === undefined || !isWorth(slot, next)) continue
      queue = queue.filter((ticket) => ticket !== next)
      give(slot, next)
    }
    tell(onProgress, progress())
  }

  const settle = (slot: Slot, report: Report): void => {
    clearTimeout(slot.timer)
    slot.hasRun = true
    const ticket = slot.running
    if ('isReady' in report || ticket?.id !== report.id) return
    // Where a module trapped, nothing can be relied on.
    if ('error' in report) {
      // Nothing else can do it: the light client is gone, by what it was told.
      if (report.isTrap && ticket.job.kind === 'light') {
        ticket.reject(new PlatformError('platform.trap', report.error))
      }
      lose(slot, report.error)
    } else {
      slot.running = undefined
      slot.port?.hold(false)
      done++
      ticket.resolve(report.done)
      pump()
    }
  }

  /**
   * What it had to do is done here, but for light clients, which are gone with it. Without a cause
   * it was ended on purpose, and another may take its place.
   */
  const lose = (slot: Slot, cause?: unknown): void => {
    clearTimeout(slot.timer)
    slot.port?.end()
    slot.port = undefined
    if (cause !== undefined) slot.isDead = !slot.hasRun || ++slot.deaths >= MAX_DEATHS
    for (const [id, home] of homes) if (home === slot) homes.set(id, 'gone')
    const isLast = slots.every(({ isDead }) => isDead)
    const left = queue.filter((ticket) => isLast || ticket.slot === slot)
    queue = queue.filter((ticket) => !left.includes(ticket))
    for (const ticket of [slot.running, ...left]) {
      if (ticket === undefined || ticket.signal?.aborted) continue
      if (ticket.job.kind === 'light') ticket.reject(gone(cause))
      else doJob(ticket.job).then(ticket.resolve, ticket.reject)
    }
    slot.running = undefined
    pump()
  }

  const open = (slot: Slot): Port => {
    // What an earlier worker of this slot still says is not heard.
    const ifCurrent = (run: () => void): void => {
      if (slot.port === port) run()
    }
    const port = spawn(
      (report) => ifCurrent(() => settle(slot, report)),
      (cause) => ifCurrent(() => lose(slot, cause ?? 0)),
    )
    slot.timer = setTimeout(() => ifCurrent(() => lose(slot, 'timeout')), START_MS)
    slot.given = new Set()
    slot.known = new Set()
    return port
  }

  /** Light clients spread over the workers. */
  const homeOf = (job: Job): Slot | 'gone' | undefined => {
    if (job.kind !== 'light') return undefined
    if (job.method === 'open') {
      const alive = slots.filter(({ isDead }) => !isDead)
      const count = (slot: Slot): number =>
        [...homes.values()].filter((home) => home === slot).length
      const [home] = alive.sort((a, b) => count(a) - count(b))
      if (home !== undefined) homes.set(job.id, home)
    }
    const home = homes.get(job.id)
    if (job.method === 'free') homes.delete(job.id)
    return home
  }

  employ(async (job, signal) => {
    signal?.throwIfAborted()
    if (job.kind === 'start') {
      const [slot] = slots
      if (job.isLong && slot && !slot.isDead && !slot.port) {
        slot.port = open(slot)
        slot.port.hold(false)
      }
      return doJob(job)
    }
    if (isSmall(job, limit)) return doJob(job)
    const slot = homeOf(job)
    if (slot === 'gone') throw gone()
    // Also a light client that was opened before there were workers.
    const isHere = job.kind === 'light' ? slot === undefined : slots.every(({ isDead }) => isDead)
    if (isHere) return doJob(job)
    const done = job.kind === 'verify' ? await inParts(job, signal) : undefined
    return done ?? enqueue(job, slot, signal)
  })

  /** Waits for a worker, or for the only one that may do it. */
  const enqueue = async (job: Job, slot?: Slot, signal?: AbortSignal): Promise<Done> => {
    let onAbort = (): void => undefined
    try {
      return await new Promise<Done>((resolve, reject) => {
        const ticket = { id: ++lastId, job, slot, resolve, reject, signal }
        queue.push(ticket)
        onAbort = () => drop(ticket, signal?.reason)
        signal?.addEventListener('abort', onAbort)
        pump()
      })
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /**
   * Has large claims settled in parts, by all workers that have the verifier and nothing to do, and
   * makes the idle ones ready for the next claims. `undefined` if one worker has to do it, as where
   * a claim is false.
   */
  const inParts = async (job: VerifyJob, signal?: AbortSignal): Promise<Done | undefined> => {
    const { claims, fresh, isLarge, ...place } = job
    if (!isLarge || queue.length > 0) return undefined
    const free = slots.filter(({ running, isDead }) => !running && !isDead)
    const ready = free.filter(({ port, known }) => port && known.has(job.key))
    const [first = free.find(({ port }) => port) ?? free[0]] = ready
    const whole = ready.length < 2 ? enqueue(job, first, signal) : undefined
    for (const slot of free.filter((slot) => slot !== first && !ready.includes(slot))) {
      enqueue({ ...place, kind: 'prepare' }, slot).catch(() => undefined)
    }
    if (whole) return whole
    const parts = ready.map((slot, number) =>
      enqueue({ ...job, part: [number, ready.length] }, slot, signal),
    )
    const done = await Promise.all(parts).catch(() => [])
    signal?.throwIfAborted()
    const bytes = done.flatMap((one) =>
      'value' in one && one.value instanceof Uint8Array && one.value.length > 0 ? [one.value] : [],
    )
    if (bytes.length < parts.length) return undefined
    const join: Job = { kind: 'join', module: job.module, parts: encodeRlp(bytes) }
    const joined = await enqueue(join, undefined, signal)
    return 'value' in joined && joined.value !== '' ? joined : undefined
  }

  /** One that is under way ends unheard; the worker of calls that do not end is replaced. */
  const drop = (ticket: Ticket, reason: unknown): void => {
    queue = queue.filter((other) => other !== ticket)
    ticket.reject(reason)
    if (ticket.job.kind !== 'calls') return
    setTimeout(() => {
      for (const slot of slots) if (slot.running === ticket) lose(slot)
    }, GRACE_MS)
  }

  return {
    size,
    get progress() {
      return progress()
    },
    close: () => {
      employ()
      // All of them first: none must be given what another leaves.
      for (const slot of slots) slot.isDead = true
      for (const slot of slots) lose(slot)
    },
  }
}
