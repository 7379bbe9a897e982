/** One sync for all who wait for it: it ends early only if all of them leave. */

import { tell } from '../proving/tell.js'
import { abortable } from '../transport/abortable.js'
import type { SyncEvent, SyncListener } from './events.js'

/** What a sync tells while it runs. */
export interface Job {
  readonly signal: AbortSignal
  readonly emit: (event: SyncEvent) => void
}

/** A sync under way. */
export interface Flight {
  /** How many wait for it. */
  waiting: number
  /** Ends it. */
  readonly abort: AbortController
  /** Hear its events. */
  readonly listeners: Set<SyncListener>
  /** Settles with it. */
  readonly done: Promise<void>
}

/** Joins the sync under way, or starts one. */
export async function join(
  place: { flight: Flight | undefined },
  start: (job: Job) => Promise<void>,
  signal: AbortSignal | undefined,
  onProgress: SyncListener | undefined,
): Promise<void> {
  signal?.throwIfAborted()
  const flight = place.flight ?? depart(place, start)
  flight.waiting++
  if (onProgress !== undefined) flight.listeners.add(onProgress)
  try {
    await abortable(flight.done, signal)
  } finally {
    if (onProgress !== undefined) flight.listeners.delete(onProgress)
    flight.waiting--
    if (flight.waiting === 0) {
      if (place.flight === flight) place.flight = undefined
      flight.abort.abort()
    }
  }
}

function depart(place: { flight: Flight | undefined }, start: (job: Job) => Promise<void>): Flight {
  const abort = new AbortController()
  const listeners = new Set<SyncListener>()
  const emit = (event: SyncEvent): void => {
    for (const listener of listeners) tell(listener, event)
  }
  const done = start({ signal: abort.signal, emit })
  const flight: Flight = { waiting: 0, abort, listeners, done }
  place.flight = flight
  return flight
}
