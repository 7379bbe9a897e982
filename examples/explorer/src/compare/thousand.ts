/** Checks one proof a thousand times in workers, with progress, until it is done or cancelled. */

import type { ProofFile } from 'lightproof'
import { clientOf } from '../check/client.js'
import { workers } from '../check/workers.js'
import type { Settings } from '../form/settings.js'
import { checkerOf } from './measure.js'

/** How it went. */
export interface Thousand {
  readonly done: number
  /** How many; none where the page's own thread did it. */
  readonly workers: number
  readonly milliseconds: number
}

/** Proofs that wait at each worker, so that none is ever idle. */
const AHEAD = 8

/** Checks `count` times; ends early, with what was done, when `signal` is aborted. */
export async function checkMany(
  settings: Settings,
  file: ProofFile,
  count: number,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<Thousand> {
  const { size } = workers()
  const check = checkerOf(clientOf(settings).client, file)
  const started = performance.now()
  let given = 0
  let done = 0
  const lane = async (): Promise<void> => {
    while (given < count && !signal.aborted) {
      given += 1
      await check()
      done += 1
      onProgress(done)
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, size) * AHEAD }, lane))
  return { done, workers: size, milliseconds: performance.now() - started }
}
