/** Attempts beside each other: which one ends first, and what that says of the others. */

import { TransportError } from '../result/errors.js'
import type { Ranked } from '../transport/health.js'

/** The first to end; undefined if none does in time. */
export async function firstOf<E>(
  ends: readonly Promise<E>[],
  ms: number | undefined,
): Promise<E | undefined> {
  if (ms === undefined) return Promise.race(ends)
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined)
  })
  return Promise.race([...ends, late]).finally(() => clearTimeout(timer))
}

export function outOfTime({ name }: Ranked, problem: string): TransportError {
  return new TransportError('transport.timeout', name, problem)
}

/** The error of one that another one outran. */
export function outrun(slow: Ranked, first: Ranked): TransportError {
  return outOfTime(slow, `was outrun by ${first.name}`)
}
