/**
 * Entry for verification off the main thread, in Node.js: `worker_threads`.
 *
 * @packageDocumentation
 */

import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { parseWorkerOptions, type WorkerOptions } from '../workers/options.js'
import { type Spawn, startPool, type Workers } from '../workers/pool.js'

export type { WorkerOptions } from '../workers/options.js'
export type { Workers, WorkProgress } from '../workers/pool.js'

/**
 * Moves the verification of this process's clients to workers; `size: 0` moves it back to this
 * thread. Actions do not change. Idle workers do not keep the process alive.
 *
 * @throws InputError naming the option that is unknown or malformed.
 */
export function startWorkers(options: WorkerOptions = {}): Workers {
  const { size, onProgress } = parseWorkerOptions(options, [], availableParallelism())
  return startPool(spawn, size, onProgress)
}

const spawn: Spawn = (onReport, onEnd) => {
  const worker = new Worker(new URL('../workers/node.js', import.meta.url))
  worker.on('message', onReport)
  worker.on('error', onEnd)
  worker.on('exit', onEnd)
  return {
    post: (order) => worker.postMessage(order),
    hold: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
    end: () => void worker.terminate(),
  }
}
