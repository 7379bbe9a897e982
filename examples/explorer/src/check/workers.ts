/**
 * Workers that check proofs off the main thread; none where the whole page is one file, with no
 * script beside it.
 */

import { startWorkers, type Workers } from 'lightproof/workers'

let started: Workers | undefined

/** The page's workers, from the first call on. */
export function workers(): Workers {
  started ??= startWorkers(isOneFile() ? { size: 0 } : {})
  return started
}

/** Is this the self-contained file that `../mobile-webview` builds? */
export function isOneFile(): boolean {
  return document.querySelector('script[src]') === null
}
