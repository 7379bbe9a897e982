/** Which blocks may have a log of a filter, by the Bloom filters of their headers. */

import type { Client } from '../../client/client.js'
import { bytesOf } from '../../encoding/hex.js'
import { encodeRlp } from '../../encoding/rlp.js'
import { perform } from '../../proving/engine.js'
import { rlpOf } from '../../proving/rlpOf.js'
import { configOf, setUp } from '../../proving/setup.js'
import { encodeClaim } from '../../proving/verifier.js'
import type { Block } from '../../result/result.js'
import type { LogFilter } from '../../systems/body/types.js'
import { bloomQuery, body } from '../../systems/body.js'
import { loadHash } from '../../wasm/module.js'

/** What the core says of one block. */
type Verdict = { readonly status: string; readonly fact?: { readonly bloom?: boolean } }

/**
 * By block, whether it may have a log of the filter: false only where the core proved that it has
 * none. All blocks in one call of the core.
 *
 * @throws InputError for a malformed filter, PlatformError, or the signal's reason.
 */
export async function mayHold(
  client: Client,
  filter: LogFilter,
  blocks: readonly Block[],
  signal: AbortSignal | undefined,
): Promise<readonly boolean[]> {
  const query = bloomQuery(filter, await loadHash())
  const { place } = await setUp(client.chain, body, configOf(client.chain, body))
  const proof = encodeRlp([])
  const claims = blocks.map((block) => {
    const rlps = [rlpOf(block) ?? new Uint8Array(0)]
    const source = { kind: 'header', hash: bytesOf(block.hash), rlps } as const
    return encodeClaim({ source, query, variant: 'plain', proof })
  })
  // Nothing is combined at random: the module only hashes.
  const fresh = new Uint8Array(32)
  const job = { kind: 'verify', ...place, claims: encodeRlp(claims), fresh } as const
  const verdicts = await perform<readonly Verdict[]>(job, signal)
  return blocks.map((_, i) => {
    const verdict = verdicts[i]
    return !(verdict?.status === 'proven' && verdict.fact?.bloom === false)
  })
}
