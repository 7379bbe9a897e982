/** Forks by the names that beacon nodes give them, and those that nobody here knows. */

import type { BeaconConsensus, ContainerShape } from '../client/consensus.js'
import { shown } from '../encoding/input.js'
import { UnavailableError } from '../result/errors.js'

/** Shapes by the `version` that a node names. */
export const VERSIONS: ReadonlyMap<string, ContainerShape> = new Map([
  ['altair', 'altair'],
  ['bellatrix', 'altair'],
  ['capella', 'capella'],
  ['deneb', 'deneb'],
  ['electra', 'electra'],
  ['fulu', 'electra'],
  ['gloas', 'gloas'],
])

/** The shape of the last fork that the chain's configuration knows. */
export function newestShape({ forks }: BeaconConsensus): ContainerShape {
  return forks.at(-1)?.shape ?? 'altair'
}

/**
 * The name that an answer gives its fork, if neither this version nor the chain's configuration
 * knows it.
 */
export function unknownFork(version: unknown, consensus: BeaconConsensus): string | undefined {
  if (typeof version !== 'string') return undefined
  const shape = VERSIONS.get(version.toLowerCase())
  const known = [...VERSIONS.values()]
  const isKnown =
    shape !== undefined && known.indexOf(shape) <= known.indexOf(newestShape(consensus))
  return isKnown ? undefined : shown(version)
}

/**
 * The error for what names such a fork, and does not hold by the forks that are known. Nobody lied.
 */
export function forkUnknown(source: string, fork: string, cause: unknown): UnavailableError {
  const fix =
    'the chain has forked beyond what this version knows: update it, or add the fork to chain.consensus.forks'
  return new UnavailableError('chain.fork', `${source} serves headers of fork ${fork}; ${fix}`, {
    cause,
  })
}
