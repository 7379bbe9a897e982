/**
 * The worker's script in browsers. For pages that build their own: a module that imports
 * `lightproof/worker`.
 *
 * @packageDocumentation
 */

import '../wasm/fromUrls.js'
import type { Order, Report } from './messages.js'
import { serveJobs } from './serve.js'

// In a page, whoever can post a message to its window would say which modules verify its proofs.
if (typeof document === 'undefined') {
  const serve = serveJobs((report) => postMessage(report))
  addEventListener('message', ({ data }: MessageEvent<Order>) => serve(data))
  postMessage({ isReady: true } satisfies Report)
}
