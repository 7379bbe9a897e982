/** The worker's script in Node.js. */

import { parentPort } from 'node:worker_threads'
import '../wasm/fromFiles.js'
import type { Report } from './messages.js'
import { serveJobs } from './serve.js'

parentPort?.postMessage({ isReady: true } satisfies Report)
parentPort?.on(
  'message',
  serveJobs((report) => parentPort?.postMessage(report)),
)
