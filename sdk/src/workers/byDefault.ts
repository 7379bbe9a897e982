/**
 * A page's proofs are checked off its main thread without being told to: the first job loads the
 * pool, which does small ones here.
 */

import { employ, employed, type Worker } from '../proving/engine.js'
import { isEmbedded } from '../wasm/module.js'

/**
 * Has the next job start workers, unless the caller said otherwise by then. Without them it is done
 * here.
 */
export function workByDefault(load: () => Promise<{ startWorkers(): unknown }>): void {
  let started: Promise<unknown> | undefined
  const isFirst = (): boolean => employed() === first
  const first: Worker = async (job, signal) => {
    started ??= (isEmbedded() ? Promise.reject() : load())
      .then(({ startWorkers }) => isFirst() && startWorkers())
      .catch(() => isFirst() && employ())
    await started
    return employed()(job, signal)
  }
  employ(first)
}
