/**
 * Entry for verification off the main thread, in browsers: Web Workers.
 *
 * @packageDocumentation
 */

import { shown } from '../encoding/input.js'
import { InputError } from '../result/errors.js'
import { parseWorkerOptions, type WorkerOptions } from '../workers/options.js'
import { type Spawn, startPool, type Workers } from '../workers/pool.js'

export type { WorkerOptions } from '../workers/options.js'
export type { Workers, WorkProgress } from '../workers/pool.js'

/**
 * Options of `startWorkers` in browsers.
 */
export interface WebWorkerOptions extends WorkerOptions {
  /**
   * Makes a worker. Default: from the script in this package. For bundlers that do not find that
   * script, build a worker from a module that imports `lightproof/worker`.
   */
  readonly create?: () => Worker
}

/**
 * Configures the workers in which this page's clients verify all but small proofs of hashes.
 * Actions do not change. Without this call `lightproof` starts workers when they are needed; call
 * it to set their number, to show progress, to give a worker of your own, or to disable workers
 * (`size: 0`). If a worker cannot start (its file is missing, or a policy forbids it), its work is
 * done on this thread.
 *
 * @example
 * const workers = startWorkers({ onProgress: ({ queued, running }) => showBusy(queued + running) })
 *
 * @throws InputError naming the option that is unknown or malformed.
 */
export function startWorkers(options: WebWorkerOptions = {}): Workers {
  const cores = globalThis.navigator?.hardwareConcurrency ?? 1
  const { size, onProgress, given } = parseWorkerOptions(options, ['create'], cores)
  if (given.create !== undefined && typeof given.create !== 'function') {
    throw new InputError(
      'input.option',
      'create',
      `expected a function, got ${shown(given.create)}`,
    )
  }
  return startPool(spawnWith(options.create ?? create), size, onProgress)
}

function create(): Worker {
  return new Worker(new URL('../workers/web.js', import.meta.url), { type: 'module' })
}

function spawnWith(make: () => Worker): Spawn {
  return (onReport, onEnd) => {
    let worker: Worker | undefined
    try {
      worker = make()
      worker.addEventListener('message', ({ data }) => onReport(data))
      worker.addEventListener('error', ({ message }) => onEnd(new Error(message)))
    } catch (cause) {
      // Reported after the job was posted, so that the pool takes the job back.
      queueMicrotask(() => onEnd(cause))
    }
    return {
      post: (order) => worker?.postMessage(order),
      hold: () => undefined,
      end: () => worker?.terminate(),
    }
  }
}
