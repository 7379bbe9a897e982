/** Ask node after node: any proven answer wins; else a bad proof gives invalid; else unavailable. */

import type { Client } from '../client.js'
import type { ProofFile } from '../file.js'
import type { Invalid, Tried, Unavailable } from '../result.js'
import { noteFailure, noteServed, ranked } from '../transport/health.js'
import { loadPart } from '../wasm/part.js'
import { Failures, isNodeError } from './failures.js'
import type { Session } from './nodes.js'

/** What one node proved, and which ones did not. */
export interface Success<T> {
  readonly status: 'proven'
  readonly value: T
  readonly servedBy: string
  readonly tried: readonly Tried[]
}

/** Asks one node; puts its bad proof into the session's evidence before it throws. */
export type Attempt<T> = (session: Session) => Promise<T>

/**
 * Runs the attempt at each node in turn.
 *
 * @throws the signal's reason, InputError, PlatformError: no other node could do better.
 */
export async function failover<T>(
  client: Client,
  signal: AbortSignal | undefined,
  attempt: Attempt<T>,
): Promise<Success<T> | Invalid | Unavailable> {
  const failures = new Failures()
  const evidence: ProofFile[] = []
  const refusal = await prepare(client, signal)
  if (refusal !== undefined) return refusal
  for (const node of ranked(client.nodes)) {
    signal?.throwIfAborted()
    const before = evidence.length
    try {
      const value = await attempt({ client, node, signal, evidence })
      noteServed(node)
      return { status: 'proven', value, servedBy: node.name, tried: failures.tried }
    } catch (error) {
      signal?.throwIfAborted()
      if (!isNodeError(error)) throw error
      const reported = failures.add(error, node.name)
      noteFailure(node, reported, evidence[before], client.onBadProof)
      // What follows from verified headers is the same at every node.
      if (error.code === 'untrusted' || error.code === 'walk') break
    }
  }
  return failures.outcome(evidence)
}

async function prepare(
  client: Client,
  signal: AbortSignal | undefined,
): Promise<Invalid | Unavailable | undefined> {
  const { light } = client
  if (light === undefined) return undefined
  const part = await loadPart(() => import('../light/prepare.js'))
  return part.prepare(client, light, signal)
}
