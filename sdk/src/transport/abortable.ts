/** Waits for work that others may wait for too. */

/**
 * The reason where nobody hears it. Without one, each call of `abort` makes an error with its stack.
 */
export const UNHEARD: Error = new Error('over')

/**
 * The work's outcome, or the signal's reason if that comes first.
 *
 * @throws what the work throws, or the signal's reason.
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', stop))
  })
}

/**
 * Does work under a signal of its own. It is aborted with `signal`, with the error of `late` when
 * the time is up, and when the work is over: a body that nobody reads any more ends then.
 *
 * @param ms - milliseconds; Infinity for no limit.
 * @throws what the work throws.
 */
export async function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  late: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController()
  const onAbort = (): void => abort.abort(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  const timer = Number.isFinite(ms) ? setTimeout(() => abort.abort(late()), ms) : undefined
  try {
    return await work(abort.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    abort.abort(UNHEARD)
  }
}
