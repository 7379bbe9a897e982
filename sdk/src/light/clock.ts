/** How old is what a light client holds, by the local clock? */

import { isBeacon } from '../consensus.js'
import { UnavailableError } from '../errors.js'
import type { Light } from './light.js'

/** Whole seconds since 1970. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** Seconds that a header is behind the local clock; 0 if it is ahead. */
export function lagOf({ timestamp }: { readonly timestamp: bigint }): number {
  return Math.max(0, nowSeconds() - Number(timestamp))
}

const DEVNET_SLOT_SECONDS = 2

/** Seconds after which there should be a newer header. */
export function slotSeconds({ chain: { consensus } }: Light): number {
  const isKnown = consensus !== undefined && isBeacon(consensus)
  return isKnown ? consensus.secondsPerSlot : DEVNET_SLOT_SECONDS
}

/** The period of the local clock, where the clock tells it. */
export function clockPeriod({ chain: { consensus } }: Light): bigint | undefined {
  if (consensus === undefined || !isBeacon(consensus)) return undefined
  const { genesisTime, secondsPerSlot, slotsPerEpoch, epochsPerPeriod } = consensus
  const seconds = Math.max(0, nowSeconds() - genesisTime)
  return BigInt(Math.floor(seconds / (secondsPerSlot * slotsPerEpoch * epochsPerPeriod)))
}

/**
 * Refuses to start from a committee so old that its members may have left and sold their keys.
 *
 * @throws {@link UnavailableError} `expired`; `clock` if what the caller pinned is from the future.
 */
export function checkAge({ state, maxAgeSeconds, checkpoint }: Light): void {
  if (state === undefined) return
  const { timestamp } = state.finalized
  const age = nowSeconds() - Number(timestamp)
  if (age > maxAgeSeconds) {
    const fix = 'take a newer checkpoint from a source you trust, or raise anchor.maxAgeSeconds'
    const problem = `what is known since checkpoint ${checkpoint} is ${age} s old, more than ${maxAgeSeconds} s; ${fix}`
    throw new UnavailableError('expired', problem)
  }
  if (age < -CLOCK_DRIFT_SECONDS) throw clockBehind(-age)
}

/** Clocks differ. */
export const CLOCK_DRIFT_SECONDS = 10

/** The error for a trusted header from the future. */
export function clockBehind(seconds: number | undefined): UnavailableError {
  const by = seconds === undefined ? '' : ` by ${seconds} s or more`
  return new UnavailableError('clock', `the local clock is behind a signed header${by}: set it`)
}

/** @throws {@link UnavailableError} `stale` if the head is further behind the clock than the caller allows. */
export function checkLag({ state, maxHeadLagSeconds }: Light): void {
  const lag = state === undefined ? 0 : lagOf(state.head)
  if (lag <= maxHeadLagSeconds) return
  const problem = `the newest signed header is ${lag} s old, more than maxHeadLagSeconds (${maxHeadLagSeconds})`
  throw new UnavailableError('stale', problem)
}
