/** Trust reports, and results built on them. */

import type { Chain } from '../chains.js'
import type { Client } from '../client.js'
import type { FactJson } from '../file.js'
import type { ProvedPart, Result, Trust } from '../result.js'
import type { MptTypes } from '../systems/mpt.js'
import type { Success } from './failover.js'
import { type Line, type Located, lineage } from './line.js'
import type { Proof, Proving } from './prove.js'
import type { Header } from './verifier.js'

/** What a trust report says of a system and the shape of its proof. */
export function systemOf(
  { systems }: Pick<Chain, 'systems'>,
  { setup, variant }: Pick<Proof<unknown>, 'setup' | 'variant'>,
): Pick<Trust, 'system' | 'variant' | 'setup'> {
  const { name } = setup.system
  const config = systems[name]
  // Parameters that the configuration holds in the open have no secret behind them.
  if (config?.paramsDigest === undefined) return { system: name, variant }
  const { paramsDigest: digest, insecure = false } = config
  return { system: name, variant, setup: { digest, insecure } }
}

/** The grounds of a fact that a node served. */
export function trustOf(
  client: Client,
  { header, line, ...proof }: Located & Partial<Pick<Proof<unknown>, 'setup' | 'variant'>>,
  { servedBy, tried }: Pick<Success<unknown>, 'servedBy' | 'tried'>,
  proved: readonly ProvedPart[],
): Trust {
  const { setup, variant = 'plain' } = proof
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
    ...(setup === undefined ? { system: 'header', variant } : systemOf(chain, { setup, variant })),
    servedBy,
    headersFrom: headersFrom(client, { header, line }),
    tried: [...(light?.tried ?? []), ...tried],
    proved: ['header', ...proved],
    notProved: ['anchor', 'recency'],
  }
}

function headersFrom({ light }: Client, located: Located): readonly string[] {
  const names = [light?.source, ...lineage(located).map(({ servedBy }) => servedBy)]
  return [...new Set(names)].filter((name) => name !== undefined)
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
  outcome: Proving<MptTypes>,
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
