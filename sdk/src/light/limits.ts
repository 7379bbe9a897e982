/** How old may what a light client holds be, and what it answers from? */

import { type BeaconConsensus, type BeaconFork, isBeacon } from '../client/consensus.js'
import type { BlockTarget } from '../proving/at.js'
import { UnavailableError } from '../result/errors.js'
import {
  CLOCK_DRIFT_SECONDS,
  clockBehind,
  epochAt,
  isAhead,
  lagOf,
  nowSeconds,
  slotSeconds,
} from './clock.js'
import type { SignedHeader } from './handle.js'
import type { Light, LightOptions } from './light.js'

const DAY = 24 * 3600

/** EIP-8061 lets members leave faster, so what they signed is worth less after half the time. */
const daysOf = ({ shape }: BeaconFork): number => (shape === 'gloas' ? 7 : 14)

/**
 * The least of what the forks allow that were in force since a header: members leave as fast as any
 * of them lets them.
 */
function maxAgeOf({ chain: { consensus }, maxAgeSeconds }: Light, since: number): number {
  if (maxAgeSeconds !== undefined) return maxAgeSeconds
  if (consensus === undefined || !isBeacon(consensus)) return 14 * DAY
  const { forks } = consensus
  const [from, to] = [epochAt(consensus, since), epochAt(consensus, nowSeconds())]
  const isPast = (i: number): boolean => (forks[i + 1]?.epoch ?? Number.POSITIVE_INFINITY) <= from
  const inForce = forks.filter(({ epoch }, i) => epoch <= Math.max(from, to) && !isPast(i))
  const ages = inForce.map((fork) => fork.maxAgeSeconds ?? daysOf(fork) * DAY)
  return ages.length === 0 ? 14 * DAY : Math.min(...ages)
}

/**
 * Refuses to start from a committee so old that its members may have left and sold their keys.
 *
 * @throws {@link UnavailableError} `expired`; `clock` if what is final is from the future.
 */
export function checkAge(light: Light): void {
  const { state, checkpoint } = light
  if (state === undefined) return
  const { timestamp } = state.finalized
  const age = nowSeconds() - Number(timestamp)
  const most = maxAgeOf(light, Number(timestamp))
  if (age > most) {
    const fix =
      'take a newer checkpoint that you trust; a larger anchor.maxAgeSeconds believes members who left and lie at no cost'
    const problem = `the newest header proven since checkpoint ${checkpoint} is ${age} s old, limit ${most} s; ${fix}`
    throw new UnavailableError('expired', problem)
  }
  if (isAhead(state.finalized)) throw clockBehind(-age)
}

/** Seconds that a block may be behind the local clock where it is the answer. */
interface Limits {
  readonly final: number
  readonly head: number
}

const NO_LIMITS: Limits = { final: Number.POSITIVE_INFINITY, head: Number.POSITIVE_INFINITY }

/** The caller's limits, or those of the chain's clockwork. A devnet makes blocks as it likes. */
function limitsOf({
  chain: { consensus },
  maxFinalLagSeconds,
  maxHeadLagSeconds,
}: LightOptions): Limits {
  const usual = consensus !== undefined && isBeacon(consensus) ? usualLimits(consensus) : NO_LIMITS
  return { final: maxFinalLagSeconds ?? usual.final, head: maxHeadLagSeconds ?? usual.head }
}

/**
 * A block is final two epochs after its own began, known by the next slot's signatures, and the
 * newest for an epoch.
 */
function usualLimits({ slotsPerEpoch, secondsPerSlot }: BeaconConsensus): Limits {
  return {
    final: Math.max(1200, (3 * slotsPerEpoch + 4) * secondsPerSlot),
    head: Math.max(120, 10 * secondsPerSlot),
  }
}

/**
 * Epochs between the head and the newest final block that are usual; 2 to 3, and one that was late.
 */
const FINAL_EPOCHS = 4
/**
 * Slots behind the clock after which the next source is asked too: this one may hold headers back.
 */
const PATIENCE_SLOTS = 64

/** Is what is held so new that no further source need be asked? */
export function isFresh(light: Light): boolean {
  const { state, chain } = light
  if (state === undefined) return false
  const { head, finalized } = state
  const { consensus } = chain
  const limits = limitsOf(light)
  const isFinal =
    consensus === undefined ||
    !isBeacon(consensus) ||
    head.slot - finalized.slot <= FINAL_EPOCHS * consensus.slotsPerEpoch
  const patience = Math.min(limits.head, PATIENCE_SLOTS * slotSeconds(light))
  return isFinal && lagOf(light, head) <= patience && lagOf(light, finalized) <= limits.final
}

/**
 * Refuses to answer from a block that is too far behind the clock. A block that the caller names is
 * as old as it is.
 *
 * @throws {@link UnavailableError} `stale`; `clock` if the head is from the future.
 */
export function checkLag(light: Light, at: BlockTarget): void {
  if (light.state === undefined || at.by === 'number' || at.by === 'hash') return
  if (at.by === 'tag' && at.tag === 'head') checkHead(light)
  else checkFinal(light)
}

/** @throws {@link UnavailableError} `stale`; `clock` */
export function checkFinal(light: Light): void {
  const fix = 'add beacons that serve newer ones, or ask for the head'
  const limit = { most: limitsOf(light).final, option: 'maxFinalLagSeconds', fix }
  if (light.state !== undefined) checkHeader(light, light.state.finalized, 'final', limit)
}

/** @throws {@link UnavailableError} `stale`; `clock` */
export function checkHead(light: Light): void {
  const { state } = light
  if (state === undefined) return
  if (isAhead(state.head)) throw clockBehind(Number(state.head.timestamp) - nowSeconds())
  const fix = 'add beacons that serve newer ones'
  const limit = { most: limitsOf(light).head, option: 'maxHeadLagSeconds', fix }
  checkHeader(light, state.head, 'signed', limit)
}

function checkHeader(
  light: Light,
  header: SignedHeader,
  which: string,
  { most, option, fix }: { readonly most: number; readonly option: string; readonly fix: string },
): void {
  const lag = lagOf(light, header)
  if (lag <= most) return
  const behind = light.seenTime - nowSeconds()
  if (behind > CLOCK_DRIFT_SECONDS) throw clockBehind(behind)
  const problem = `the newest ${which} block that the sources serve is ${lag} s old, more than ${option} (${most}): ${fix}; a larger limit hides what changed since`
  throw new UnavailableError('stale', problem)
}
