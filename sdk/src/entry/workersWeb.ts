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
 * Also for bundlers that do not see workers: one that you build, of a module that imports
 * `lightproof/worker`.
 */
export interface WebWorkerOptions extends WorkerOptions {
  /** Makes a worker. Default: of the script beside this package's files. */
  readonly create?: () => Worker
}

/**
 * Says how the clients of this page verify in workers; actions stay as they are. The entry
 * `lightproof` does so by itself at the first proof, so that only who wants a number, progress, a
 * worker of their own or none (`size: 0`) calls this. Where a worker cannot start (its file is not
 * served, a policy forbids it), its work is done on this thread.
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
      // After the job was given: it is taken back then.
      queueMicrotask(() => onEnd(cause))
    }
    return {
      post: (order) => worker?.postMessage(order),
      hold: () => undefined,
      end: () => worker?.terminate(),
    }
  }
}
