import type { Client } from '../client/client.js'
import type { NodeProfile } from '../client/profile.js'
import { shown } from '../encoding/input.js'
import { InputError } from '../result/errors.js'
import type { Health } from '../transport/health.js'
import { parseParameters } from './parameters.js'

/**
 * `untried`: nothing was asked of it yet. `healthy`: asked in the caller's order. `resting`: it
 * failed, and others are asked first for a while. `setAside`: it sent a bad proof, and is asked
 * only if no other node proves the answer.
 */
export type NodeState = 'untried' | 'healthy' | 'resting' | 'setAside'

/** What a client knows of one of its nodes or beacon nodes. */
export interface NodeReport
  extends Pick<
    Health,
    | 'requests'
    | 'sentBytes'
    | 'receivedBytes'
    | 'latencyMs'
    | 'served'
    | 'failed'
    | 'lastCode'
    | 'badProof'
  > {
  /** Its origin, as reports and errors call it. */
  readonly name: string
  readonly kind: 'node' | 'beacon'
  readonly state: NodeState
  /** What it was found to serve; undefined of beacon nodes, and before the first question. */
  readonly profile: NodeProfile | undefined
}

interface Place {
  readonly name: string
  readonly kind: NodeReport['kind']
  readonly health: Health
}

/**
 * What the client knows of its nodes, in the caller's order, then of its beacon nodes.
 *
 * @example
 * for (const { name, state, badProof } of reportNodes(client)) console.log(name, state,
 * badProof?.evidence)
 */
export function reportNodes(client: Client): NodeReport[] {
  return placesOf(client).map(({ name, kind, health }) => {
    const { requests, sentBytes, receivedBytes, latencyMs, served, failed } = health
    const { lastCode, badProof } = health
    const profile = kind === 'node' ? client.profiles.get(name) : undefined
    const meter = { requests, sentBytes, receivedBytes, latencyMs, served, failed }
    return { name, kind, state: stateOf(health), ...meter, lastCode, badProof, profile }
  })
}

/**
 * Takes a node back that was set aside, or is at rest.
 *
 * @throws InputError if the client has no node of that name.
 */
export function reinstateNode(client: Client, name: string): void {
  const places = placesOf(client).filter((place) => place.name === name)
  if (places.length === 0) {
    throw new InputError('input.node', 'name', `no node of the client is called ${shown(name)}`)
  }
  for (const { health } of places) {
    health.badProof = undefined
    health.faults = 0
    health.restUntil = 0
    health.notBefore = 0
  }
}

function placesOf(client: Client): Place[] {
  parseParameters(client, {}, [])
  const beacons = client.light?.beacons ?? []
  return [
    ...client.nodes.map(({ name, health }) => ({ name, kind: 'node', health }) as const),
    ...beacons.map(({ label, health }) => ({ name: label, kind: 'beacon', health }) as const),
  ]
}

function stateOf({ badProof, restUntil, requests }: Health): NodeState {
  if (badProof !== undefined) return 'setAside'
  if (Date.now() < restUntil) return 'resting'
  return requests === 0 ? 'untried' : 'healthy'
}
