/** Options of the entry `lightproof/workers`. */

import { parseInteger, parseOptions, shown } from '../encoding/input.js'
import { InputError } from '../result/errors.js'
import type { WorkProgress } from './pool.js'

/** Options of `startWorkers`. */
export interface WorkerOptions {
  /**
   * Maximum number of workers, 0 to 16; 0 verifies on this thread. Default: the number of cores
   * less one, at least 1 and at most 4.
   */
  readonly size?: number
  /** Called whenever the state of the queue changes. */
  readonly onProgress?: (progress: WorkProgress) => void
}

const MAX_DEFAULT = 4

/** @throws InputError */
export function parseWorkerOptions<K extends string>(
  value: object,
  others: readonly K[],
  cores: number,
): {
  readonly size: number
  readonly onProgress: WorkerOptions['onProgress']
  readonly given: { readonly [key in K]?: unknown }
} {
  const given = parseOptions(value, 'options', ['size', 'onProgress', ...others])
  const { size, onProgress } = given as { readonly size?: unknown; readonly onProgress?: unknown }
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw new InputError(
      'input.option',
      'onProgress',
      `expected a function, got ${shown(onProgress)}`,
    )
  }
  const fallback = Math.min(MAX_DEFAULT, Math.max(1, cores - 1))
  return {
    size: parseInteger(size, 'size', { min: 0, max: 16, fallback }),
    onProgress: onProgress as WorkerOptions['onProgress'],
    given: given as { readonly [key in K]?: unknown },
  }
}
