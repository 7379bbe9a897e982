/** Waits for work that others may wait for too. */

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
