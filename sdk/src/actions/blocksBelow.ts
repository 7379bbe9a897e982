/** Consecutive blocks, newest first. */

import type { Client } from '../client/client.js'
import { parseBlock } from '../proving/at.js'
import { descend } from '../proving/descend.js'
import { failover } from '../proving/failover.js'
import { blockOf } from '../proving/rlpOf.js'
import { trustOf } from '../proving/trust.js'
import type { Block, Result } from '../result/result.js'

/** Most headers that are fetched before the first of their blocks is handed out. */
const CHUNK = 96n

/**
 * The blocks below one, down to an ancestor, in chunks. Each is the parent of the one before, so
 * that a chain that is reorganized meanwhile is not mixed with another. Headers are fetched in
 * batches.
 *
 * Ends after the last block, or after the first result that is not present.
 */
export async function* blocksBelow(
  client: Client,
  block: Block,
  lowest: bigint,
  signal: AbortSignal | undefined,
): AsyncGenerator<Result<readonly Block[], never>, void> {
  let above = block
  while (above.number > lowest) {
    const from = above
    const wanted = from.number > lowest + CHUNK ? from.number - CHUNK : lowest
    const at = parseBlock(from, 'block', client)
    const outcome = await failover(client, at, signal, (session) => descend(session, from, wanted))
    if (outcome.status !== 'proven') {
      yield outcome
      return
    }
    const value = outcome.value.below.map(blockOf)
    yield { status: 'present', value, trust: trustOf(client, outcome.value, outcome, []) }
    above = value.at(-1) ?? above
  }
}
