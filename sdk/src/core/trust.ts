/** Trust reports, and results built on them. */

import type { Client } from '../client.js'
import type { FactJson } from '../file.js'
import type { Invalid, ProvedPart, Result, Trust, Unavailable } from '../result.js'
import type { Success } from './failover.js'
import type { Proof } from './prove.js'
import type { Header } from './verifier.js'

/** The grounds of a fact that a node served. */
export function trustOf(
  client: Client,
  header: Header,
  { servedBy, tried }: Pick<Success<unknown>, 'servedBy' | 'tried'>,
  proved: readonly ProvedPart[],
  system: Trust['system'] = proved.length === 1 ? 'header' : 'mpt',
): Trust {
  const { chain, anchor } = client
  const pin = client.headers[0] ?? header
  const ageSeconds = secondsSince(pin.timestamp)
  return {
    chain: { name: chain.name, chainId: chain.chainId },
    block: { number: header.number, hash: header.hash },
    finality: header.hash === anchor.hash ? 'pinned' : 'ancestor',
    anchor: { kind: 'block', hash: anchor.hash, ageSeconds },
    headLagSeconds: ageSeconds,
    system,
    variant: 'plain',
    servedBy,
    tried,
    proved,
    notProved: ['anchor', 'recency'],
  }
}

/** Whole seconds from a block's time to the local clock; 0 if the clock is behind it. */
export function secondsSince(timestamp: bigint): number {
  return Math.max(0, Math.floor(Date.now() / 1000) - Number(timestamp))
}

/**
 * The outcome of a proof as the result of an action that reads one value of it.
 *
 * @param absent - what the protocol reads where there is nothing.
 * @param read - the value; undefined if it is proven absent.
 */
export function toResult<V, const D>(
  client: Client,
  outcome: Success<Proof> | Invalid | Unavailable,
  proved: readonly ProvedPart[],
  absent: D,
  read: (fact: FactJson) => V | undefined,
): Result<V, D> {
  if (outcome.status !== 'proven') return outcome
  const trust = trustOf(client, outcome.value.header, outcome, proved)
  const value = read(outcome.value.fact)
  return value === undefined
    ? { status: 'absent', value: absent, trust }
    : { status: 'present', value, trust }
}
