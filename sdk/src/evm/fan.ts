/**
 * One signal for many questions that are under way at once: engines warn of a signal that many
 * listen to.
 */

/** Signals that end with another one. */
export interface Fan {
  /** A signal of its own for one question. */
  next(): AbortSignal
  /** Once all are answered. */
  close(): void
}

/** Opens a fan of signals over one. */
export function openFan(signal: AbortSignal | undefined): Fan {
  const open: AbortController[] = []
  const onAbort = (): void => {
    for (const controller of open) controller.abort(signal?.reason)
  }
  signal?.addEventListener('abort', onAbort, { once: true })
  return {
    next: () => {
      const controller = new AbortController()
      if (signal?.aborted) controller.abort(signal.reason)
      open.push(controller)
      return controller.signal
    },
    close: () => signal?.removeEventListener('abort', onAbort),
  }
}
