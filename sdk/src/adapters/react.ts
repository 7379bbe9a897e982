/** A hook of React: a question, asked while a component shows its answer. */

import { useCallback, useEffect, useMemo, useState } from 'react'
import { parseInteger } from '../encoding/input.js'
import type { ProofError, UnavailableError } from '../result/errors.js'

/**
 * What actions return: `present`, `absent`, `success`, `reverted` and their like are proven, two
 * statuses are not.
 */
export interface Outcome {
  readonly status: string
}

/** A result that is proven. */
export type Good<R extends Outcome> = Exclude<R, { readonly status: 'invalid' | 'unavailable' }>

/** What a component can show. All but `loading` come from the newest look that ended. */
export type Shown<R extends Outcome> =
  /** Nothing is known of this question yet. */
  | { readonly state: 'loading' }
  /** The result is proven: `result.status` says what, `result.trust` on what grounds. */
  | { readonly state: 'proven'; readonly result: Good<R> }
  /** The result was proven by an earlier look; the newest one found no proof. Show its age. */
  | { readonly state: 'older'; readonly result: Good<R>; readonly error: Error }
  /**
   * A node lied and none proved the answer, or the question cannot be asked (`InputError`,
   * `PlatformError`).
   */
  | { readonly state: 'refused'; readonly error: Error }
  /** No node proved anything, and none was caught lying. */
  | { readonly state: 'unavailable'; readonly error: Error }

/** The state, and a way to look again. */
export type Proven<R extends Outcome> = Shown<R> & {
  /** Asks again. */
  readonly refresh: () => void
}

/** Options of {@link useProven}. */
export interface UseProvenOptions {
  /** Milliseconds between the end of a look and the next one. Default: one look. */
  readonly everyMs?: number
}

/** What was found out, and about which question. */
interface Found<R extends Outcome> {
  readonly about: object
  readonly shown: Shown<R>
}

/**
 * Asks a question, and says what to show. Leaving the page, another question and `refresh` abort
 * the look under way by its `signal`. What was found about another question is never shown for this
 * one.
 *
 * @example
 * const balance = useProven((signal) => getBalance(client, { address, signal }), [client, address])
 *
 * @param question - an action, with the signal that it is given. It should use nothing that changes
 *   beside `dependencies`.
 * @param dependencies - what the question depends on, as of `useEffect`; always as many.
 * @throws InputError for malformed options.
 */
export function useProven<R extends Outcome>(
  question: (signal: AbortSignal) => Promise<R>,
  dependencies: readonly unknown[],
  options: UseProvenOptions = {},
): Proven<R> {
  const { everyMs: given } = options
  const everyMs =
    given === undefined ? undefined : parseInteger(given, 'everyMs', { min: 100, max: 2 ** 31 - 1 })
  const about = useMemo(() => ({}), dependencies)
  const [found, setFound] = useState<Found<R>>()
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async (): Promise<void> => {
      const shown = await ask(question, signal)
      if (signal.aborted) return
      setFound((before) => ({
        about,
        shown: before?.about === about ? after(before.shown, shown) : shown,
      }))
      if (everyMs !== undefined) timer = setTimeout(look, everyMs)
    }
    look()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
    // The question of the render in which its dependencies changed: later ones ask the same.
  }, [about, turn, everyMs])
  const refresh = useCallback(() => setTurn((count) => count + 1), [])
  const shown: Shown<R> = found?.about === about ? found.shown : { state: 'loading' }
  return { ...shown, refresh }
}

/**
 * A look that finds no proof leaves the result of the one before, which is older by now. A lie does
 * not.
 */
function after<R extends Outcome>(before: Shown<R>, shown: Shown<R>): Shown<R> {
  if (shown.state !== 'unavailable' || !('result' in before)) return shown
  return { state: 'older', result: before.result, error: shown.error }
}

async function ask<R extends Outcome>(
  question: (signal: AbortSignal) => Promise<R>,
  signal: AbortSignal,
): Promise<Shown<R>> {
  try {
    const result = await question(signal)
    switch (result.status) {
      case 'invalid':
        return { state: 'refused', error: errorOf(result) }
      case 'unavailable':
        return { state: 'unavailable', error: errorOf(result) }
      default:
        // Sound: the two others are excluded.
        return { state: 'proven', result: result as unknown as Good<R> }
    }
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown })
    return { state: 'refused', error }
  }
}

function errorOf(result: Outcome & { readonly error?: ProofError | UnavailableError }): Error {
  return result.error ?? new TypeError(`a result with status ${result.status} has an error`)
}
