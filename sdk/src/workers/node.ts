/** The worker's script in Node.js. */

import { parentPort } from 'node:worker_threads'
import '../entry/node.js'
import { serveJobs } from './serve.js'

parentPort?.on(
  'message',
  serveJobs((report) => parentPort?.postMessage(report)),
)
