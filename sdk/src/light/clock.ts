/** The local clock, in the slots and periods of a chain. */

import { type BeaconConsensus, isBeacon } from '../client/consensus.js'
import { UnavailableError } from '../result/errors.js'
import type { Light } from './light.js'

/** Whole seconds since 1970. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/**
 * Seconds that a header is behind the local clock, or behind what shows that the clock is late; 0
 * if it is ahead.
 */
export function lagOf(
  { seenTime }: Pick<Light, 'seenTime'>,
  { timestamp }: { readonly timestamp: bigint },
): number {
  return Math.max(0, nowSeconds() - Number(timestamp), seenTime - Number(timestamp))
}

const DEVNET_SLOT_SECONDS = 2

/** Seconds after which there should be a newer header. */
export function slotSeconds({ chain: { consensus } }: Pick<Light, 'chain'>): number {
  const isKnown = consensus !== undefined && isBeacon(consensus)
  return isKnown ? consensus.secondsPerSlot : DEVNET_SLOT_SECONDS
}

/** The period of the local clock, where the clock tells it. */
export function clockPeriod({ chain: { consensus } }: Light): bigint | undefined {
  if (consensus === undefined || !isBeacon(consensus)) return undefined
  return BigInt(Math.floor(epochAt(consensus, nowSeconds()) / consensus.epochsPerPeriod))
}

/** A time in seconds since 1970 as an epoch. */
export function epochAt(
  { genesisTime, secondsPerSlot, slotsPerEpoch }: BeaconConsensus,
  time: number,
): number {
  return Math.floor(Math.max(0, time - genesisTime) / (secondsPerSlot * slotsPerEpoch))
}

/** Clocks differ. */
export const CLOCK_DRIFT_SECONDS = 10

/** Is it from the future? */
export function isAhead({ timestamp }: { readonly timestamp: bigint }): boolean {
  return Number(timestamp) > nowSeconds() + CLOCK_DRIFT_SECONDS
}

/** The error for a header from the future that two thirds of a committee signed. */
export function clockBehind(seconds: number): UnavailableError {
  const problem = `the local clock is behind a signed header by ${Math.max(1, seconds)} s or more: set it`
  return new UnavailableError('clock', problem)
}
