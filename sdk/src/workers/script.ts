/** What the worker's script does in browsers. */

import type { Order, Report } from './messages.js'
import { serveJobs } from './serve.js'

/** Takes a page's orders, in a worker. */
export function listenToPage(): void {
  // In a page, whoever can post a message to its window would say which modules verify its proofs.
  if (typeof document !== 'undefined') return
  const serve = serveJobs((report) => postMessage(report))
  addEventListener('message', ({ data }: MessageEvent<Order>) => serve(data))
  postMessage({ isReady: true } satisfies Report)
}
