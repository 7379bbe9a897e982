/** Trust reports, and results built on them. */

import type { Client } from '../client.js'
import type { FactJson } from '../file.js'
import type { Invalid, ProvedPart, Result, Trust, Unavailable } from '../result.js'
import type { Success } from './failover.js'
import type { Line, Located } from './line.js'
import type { Proof } from './prove.js'
import type { Header } from './verifier.js'

/** The grounds of a fact that a node served. */
export function trustOf(
  client: Client,
  { header, line }: Located,
  { servedBy, tried }: Pick<Success<unknown>, 'servedBy' | 'tried'>,
  proved: readonly ProvedPart[],
  system: Trust['system'] = proved.length === 1 ? 'header' : 'mpt',
): Trust {
  const { chain, anchor, light } = client
  const pin = line.headers[0] ?? header
  const { participation } = line
  const anchorTime = light === undefined ? pin.timestamp : light.checkpointTime
  return {
    chain: { name: chain.name, chainId: chain.chainId },
    block: { number: header.number, hash: header.hash },
    finality: finalityOf(header, line),
    anchor: {
      kind: anchor.kind,
      hash: anchor.hash,
      ageSeconds: anchorTime === undefined ? null : secondsSince(anchorTime),
    },
    headLagSeconds: secondsSince(light?.state?.head.timestamp ?? pin.timestamp),
    ...(participation === undefined ? {} : { participation }),
    system,
    variant: 'plain',
    servedBy,
    tried: [...(light?.tried ?? []), ...tried],
    proved,
    notProved: ['anchor', 'recency'],
  }
}

/** An ancestor of the head may be left in a fork with it; one of a final block is final. */
function finalityOf(header: Header, { hash, finality }: Line): Trust['finality'] {
  return header.hash === hash || finality === 'head' ? finality : 'ancestor'
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
  const trust = trustOf(client, outcome.value, outcome, proved)
  const value = read(outcome.value.fact)
  return value === undefined
    ? { status: 'absent', value: absent, trust }
    : { status: 'present', value, trust }
}
