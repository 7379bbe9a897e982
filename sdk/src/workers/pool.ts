/** The page's side: a queue of jobs, and workers that take one at a time. */

import { type Done, doJob, employ, type Job } from '../core/engine.js'
import { PlatformError, type PlatformErrorCode } from '../errors.js'
import { givenWasm } from '../wasm/module.js'
import type { Order, Report } from './messages.js'

/** What is left to do. */
export interface WorkProgress {
  /** Jobs that wait for a worker. */
  readonly queued: number
  /** Jobs that workers are at. */
  readonly running: number
  /** Jobs that were done since the start. */
  readonly done: number
}

/** Workers that verify what this page's or process's clients fetch. */
export interface Workers {
  /** How many there may be; they start as they are needed. */
  readonly size: number
  readonly progress: WorkProgress
  /**
   * Ends the workers; proofs are then verified on this thread again. A client that synced from a checkpoint held its headers in
   * a worker: make a new one (its store holds what was synced).
   */
  close(): void
}

/** A worker, whatever the platform calls it. */
interface Port {
  post(order: Order): void
  /** Says whether it has work: an idle one keeps no process alive. */
  hold(isBusy: boolean): void
  end(): void
}

/** Starts a worker. */
export type Spawn = (onReport: (report: Report) => void, onEnd: (cause: unknown) => void) => Port

interface Ticket {
  readonly id: number
  readonly job: Job
  /** The one worker that can do it: the light client is there. */
  readonly slot: Slot | undefined
  readonly resolve: (done: Done) => void
  readonly reject: (error: unknown) => void
}

interface Slot {
  port: Port | undefined
  running: Ticket | undefined
  isDead: boolean
}

/** Employs workers. */
export function startPool(
  spawn: Spawn,
  size: number,
  onProgress: ((progress: WorkProgress) => void) | undefined,
): Workers {
  const slots: Slot[] = Array.from({ length: size }, () => {
    return { port: undefined, running: undefined, isDead: false }
  })
  /** Where each light client is. */
  const homes = new Map<number, Slot>()
  let queue: Ticket[] = []
  let done = 0
  let lastId = 0

  const progress = (): WorkProgress => {
    const running = slots.filter(({ running }) => running !== undefined).length
    return { queued: queue.length, running, done }
  }

  const give = (slot: Slot, ticket: Ticket): void => {
    slot.running = ticket
    slot.port ??= open(slot)
    slot.port.hold(true)
    slot.port.post({ id: ticket.id, job: ticket.job })
  }

  const pump = (): void => {
    // Those that run already first: a new one has to compile the module.
    const free = slots.filter(({ running, isDead }) => running === undefined && !isDead)
    free.sort((a, b) => Number(a.port === undefined) - Number(b.port === undefined))
    for (const slot of free) {
      const next = queue.find((ticket) => ticket.slot === undefined || ticket.slot === slot)
      if (next === undefined) continue
      queue = queue.filter((ticket) => ticket !== next)
      give(slot, next)
    }
    onProgress?.(progress())
  }

  const settle = (slot: Slot, report: Report): void => {
    const ticket = slot.running
    if (ticket?.id !== report.id) return
    slot.running = undefined
    slot.port?.hold(false)
    done++
    if ('done' in report) ticket.resolve(report.done)
    else
      ticket.reject(new PlatformError(report.error.code as PlatformErrorCode, report.error.message))
    pump()
  }

  /** What it had to do is done here, but for light clients, which are gone with it. */
  const lose = (slot: Slot, cause: unknown): void => {
    if (slot.isDead) return
    slot.isDead = true
    const isLast = slots.every(({ isDead }) => isDead)
    const left = queue.filter((ticket) => isLast || ticket.slot === slot)
    queue = queue.filter((ticket) => !left.includes(ticket))
    for (const ticket of [...(slot.running === undefined ? [] : [slot.running]), ...left]) {
      if (ticket.slot === undefined) doJob(ticket.job).then(ticket.resolve, ticket.reject)
      else ticket.reject(gone(cause))
    }
    slot.running = undefined
    pump()
  }

  const open = (slot: Slot): Port => {
    const port = spawn(
      (report) => settle(slot, report),
      (cause) => lose(slot, cause),
    )
    const wasm = givenWasm()
    if (Object.keys(wasm).length > 0) port.post({ wasm })
    return port
  }

  /** Light clients spread over the workers. */
  const homeOf = (job: Job): Slot | undefined => {
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

  employ((job, signal) => {
    signal?.throwIfAborted()
    const slot = homeOf(job)
    // Also a light client that was opened before there were workers.
    const isHere = job.kind === 'light' ? slot === undefined : slots.every(({ isDead }) => isDead)
    if (isHere) return doJob(job)
    if (slot?.isDead === true) return Promise.reject(gone(undefined))
    return new Promise((resolve, reject) => {
      const ticket = { id: ++lastId, job, slot, resolve, reject }
      queue.push(ticket)
      signal?.addEventListener('abort', () => drop(ticket, signal.reason), { once: true })
      pump()
    })
  })

  /** One that is under way ends unheard: a worker cannot be interrupted but by ending it. */
  const drop = (ticket: Ticket, reason: unknown): void => {
    queue = queue.filter((other) => other !== ticket)
    ticket.reject(reason)
  }

  return {
    size,
    get progress() {
      return progress()
    },
    close: () => {
      employ()
      for (const slot of slots) {
        slot.port?.end()
        lose(slot, undefined)
      }
    },
  }
}

function gone(cause: unknown): PlatformError {
  const problem = 'the worker that held the signed headers ended: make a new client'
  return new PlatformError('platform.worker', problem, { cause })
}
