/** What the watching actions have in common: look, hand out, wait, look again. */

import { parseInteger, shown } from '../encoding/input.js'
import { InputError, type ProofError, type UnavailableError } from '../result/errors.js'
import type { Result } from '../result/result.js'
import { pause } from '../transport/pause.js'
import { parseSignal } from './parameters.js'

/** How to watch. */
export interface WatchParameters {
  /** Milliseconds between two looks for a new head. Default 4,000. */
  readonly pollMs?: number
  /** Hears why a look found nothing out. The next look makes up for it: nothing is left out. */
  readonly onError?: (error: ProofError | UnavailableError) => void
  /** Ends the watch, which then throws the signal's reason. */
  readonly signal?: AbortSignal
}

/** Names of {@link WatchParameters}. */
export const WATCH_PARAMETERS = ['pollMs', 'onError', 'signal'] as const

/** Parsed {@link WatchParameters}. */
export interface Watch {
  readonly pollMs: number
  readonly signal: AbortSignal | undefined
  readonly onError: WatchParameters['onError']
}

/** @throws InputError `input.option`. */
export function parseWatch(given: { readonly [key in keyof WatchParameters]?: unknown }): Watch {
  const { onError } = given
  if (onError !== undefined && typeof onError !== 'function') {
    throw new InputError('input.option', 'onError', `expected a function, got ${shown(onError)}`)
  }
  return {
    pollMs: parseInteger(given.pollMs, 'pollMs', { min: 10, max: 3_600_000, fallback: 4000 }),
    signal: parseSignal(given.signal),
    // Sound: it is a function.
    onError: onError as WatchParameters['onError'],
  }
}

/**
 * Hands out the news of each look, until the signal is aborted.
 *
 * @throws the signal's reason.
 */
export async function* looks<V>(
  { pollMs, signal, onError }: Watch,
  look: () => Promise<Result<readonly V[], never>>,
): AsyncGenerator<V, never> {
  while (true) {
    signal?.throwIfAborted()
    const news = await look()
    if (news.status === 'present') yield* news.value
    else if (news.status !== 'absent') onError?.(news.error)
    await pause(pollMs, signal)
  }
}
