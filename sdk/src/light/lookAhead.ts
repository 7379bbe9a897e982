/** What a sync is certain to ask of a source, asked in one round trip. */

import { clockPeriod } from './clock.js'
import type { Light } from './light.js'
import type { HeaderSource } from './source.js'

/** A slot. */
const HOLD_MS = 12_000

/**
 * The source, with its newest headers asked for now, and before the bootstrap the update of the
 * clock's period as well. Each answer is held until it is asked for in its turn, for a slot at the
 * most, and is used once: what is checked, and in which order, stays the same.
 */
export function lookAhead(light: Light, source: HeaderSource, signal: AbortSignal): HeaderSource {
  const period = !light.state && clockPeriod(light)
  const ends = performance.now() + HOLD_MS
  /** The first question is asked now, the answer to it is the first one's. */
  const early = <T>(ask: (signal: AbortSignal) => Promise<T>) => {
    let held: Promise<T> | undefined = ask(signal)
    held.catch(() => undefined)
    return (again: AbortSignal): Promise<T> => {
      const answer = held
      held = undefined
      return answer && performance.now() < ends ? answer : ask(again)
    }
  }
  const update = period && early((again) => source.updates(period, 1, again))
  return {
    ...source,
    // One alone: an older checkpoint has others to ask for first, and they come in the same answer.
    updates: (start, count, again) =>
      update && count === 1 && start === period
        ? update(again)
        : source.updates(start, count, again),
    finality: early(source.finality),
    optimistic: early(source.optimistic),
  }
}
