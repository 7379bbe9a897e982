/** Trust reports, and results built on them. */

import type { Client } from '../client/client.js'
import type { Trust } from '../result/result.js'
import type { SystemName } from '../systems/registry.js'
import type { ProvedPart } from '../systems/system.js'
import type { Success } from './failover.js'
import type { Header } from './header.js'
import { type Line, type Located, lineage, rootOf } from './line.js'
import type { Proof } from './proveBlock.js'

/** What a trust report says of a system and the shape of its proof. */
export function systemOf({
  setup,
  variant,
}: Pick<Proof<unknown>, 'setup' | 'variant'>): Pick<Trust, 'system' | 'variant' | 'setup'> {
  // One of this package's, or the caller's own, which stands in for one.
  const system = setup.system.name as SystemName
  const { paramsDigest, insecure = false } = setup.pinned
  // Parameters that the configuration holds in the open have no secret behind them, unless it says
  // that one is known.
  const digest = paramsDigest ?? (insecure ? setup.config.paramsDigest : undefined)
  return { system, variant, ...(digest && { setup: { digest, insecure } }) }
}

/** The grounds of a fact that a node served. */
export function trustOf(
  client: Client,
  located: Located & Partial<Pick<Proof<unknown>, 'setup' | 'variant'>>,
  { servedBy, tried }: Pick<Success<unknown>, 'servedBy' | 'tried'>,
  proved: readonly ProvedPart[],
): Trust {
  const { header, line, compared, setup, variant = 'plain' } = located
  const { chain, anchor, light } = client
  const root = rootOf(line)
  const pin = root.headers[0] ?? header
  const { participation } = line
  const anchorTime = light === undefined ? pin.timestamp : light.checkpointTime
  return {
    chain: { name: chain.name, chainId: chain.chainId },
    block: blockOf(header),
    finality: finalityOf(header, line),
    anchor: {
      ...anchor,
      hash: light === undefined ? root.hash : anchor.hash,
      ageSeconds: anchorTime === undefined ? null : secondsSince(anchorTime),
    },
    headLagSeconds: secondsSince(light?.state?.head.timestamp ?? pin.timestamp),
    ...(participation && { participation }),
    ...(participation && chain.kind === 'attested' && { attestedBy: participation }),
    ...compared,
    ...(setup === undefined ? { system: 'header', variant } : systemOf({ setup, variant })),
    servedBy,
    headersFrom: headersFrom(client, located),
    tried: [...(light?.tried ?? []), ...tried],
    proved: ['header', ...proved],
    notProved: [...(anchor.kind === 'node' ? ['node' as const] : []), 'anchor', 'recency'],
  }
}

function headersFrom({ light }: Client, located: Located): readonly string[] {
  const names = [light?.source, ...namesIn(located)]
  return [...new Set(names)].filter((name) => name !== undefined)
}

function namesIn(located: Located): (string | undefined)[] {
  const { leap } = located.line
  const names = lineage(located).map(({ servedBy }) => servedBy)
  return leap === undefined ? names : [...namesIn(leap.from), ...names]
}

/** A block, and how old it is at a time in milliseconds since 1970. */
export function blockOf({ number, hash, timestamp }: Header, now?: number): Trust['block'] {
  return { number, hash, timestamp, ageSeconds: secondsSince(timestamp, now) }
}

/**
 * An ancestor of the head may be left in a fork with it, and so may what was forced; one of a final
 * block is final.
 */
function finalityOf(header: Header, { hash, finality, leap }: Line): Trust['finality'] {
  const isFinal = finality === 'pinned' || finality === 'finalized'
  return (header.hash === hash && leap === undefined) || !isFinal ? finality : 'ancestor'
}

/**
 * Whole seconds from a block's time to a time in milliseconds since 1970, the local clock's; 0 if
 * that is earlier.
 */
export function secondsSince(timestamp: bigint, now: number = Date.now()): number {
  return Math.max(0, Math.floor(now / 1000) - Number(timestamp))
}
