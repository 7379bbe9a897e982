import { embeddedVectors, publish } from './publish.js'
import type { Report } from './run.js'

const worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' })
publish(
  new Promise((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Report>) => resolve(data))
    worker.addEventListener('error', ({ message }) => reject(new Error(`worker: ${message}`)))
  }),
)
worker.postMessage(embeddedVectors())
