import type { Client } from '../client/client.js'
import { type BlockLike, parseBlock } from '../proving/at.js'
import { failover } from '../proving/failover.js'
import { blockOf } from '../proving/rlpOf.js'
import { trustOf } from '../proving/trust.js'
import { locate } from '../proving/walk.js'
import type { Block, Result } from '../result/result.js'
import { parseParameters, parseSignal } from './parameters.js'

/** A block. */
export interface BlockParameters {
  /**
   * A block number, a block hash, or a Block; the pinned one, or the newest final one, if left out.
   */
  readonly block?: BlockLike
  /** Aborts the action, which then throws the signal's reason. */
  readonly signal?: AbortSignal
}

/**
 * Finds a block that the anchor vouches for: the pinned one, one that was signed since the
 * checkpoint, or an ancestor. Pass it to other actions as `at`, so that all of them speak of the
 * same block.
 *
 * @returns present with the block, invalid or unavailable; never absent.
 * @throws {@link InputError} for a malformed argument, {@link PlatformError}, or the reason of an
 *   aborted signal.
 */
export async function getBlock(
  client: Client,
  parameters: BlockParameters = {},
): Promise<Result<Block, never>> {
  const given = parseParameters(client, parameters, ['block', 'signal'])
  const target = parseBlock(given.block, 'block', client)
  const signal = parseSignal(given.signal)
  const outcome = await failover(client, target, signal, (session) => locate(session, target))
  if (outcome.status !== 'proven') return outcome
  const trust = trustOf(client, outcome.value, outcome, [])
  return { status: 'present', value: blockOf(outcome.value.header), trust }
}
