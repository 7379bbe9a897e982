import { parseParameters } from '../../actions/parameters.js'
import type { Client } from '../../client/client.js'
import type { Result } from '../../result/result.js'
import type { Receipt } from '../../systems/body/types.js'
import { proveBody } from './blockBody.js'
import { type BlockItemsParameters, ITEMS_PARAMETERS } from './getTransactions.js'
import { blockIn, parseSenders, receiptsWithSenders } from './senders.js'

/** Receipts of a block. */
export interface BlockReceipts {
  /** How many the block has. A place that is asked for and not there is beyond it. */
  readonly count: number
  readonly receipts: readonly Receipt[]
}

/**
 * Proves a block's receipts, with the transactions that they belong to.
 *
 * @returns present, invalid or unavailable; never absent.
 * @throws InputError for a malformed argument, PlatformError, or the reason of an aborted signal.
 */
export async function getReceipts(
  client: Client,
  parameters: BlockItemsParameters = {},
): Promise<Result<BlockReceipts, never>> {
  const { senders, ...given } = parseParameters(client, parameters, ITEMS_PARAMETERS)
  const isWanted = parseSenders(senders)
  const found = await proveBody(client, { ...given, list: 'receipts' }, 'receipts')
  if (!isWanted || found.status !== 'present') return found
  const { signal, indices } = parameters
  const { receipts, count } = found.value
  const block = blockIn(found.trust)
  const sent = await receiptsWithSenders(client, receipts, { block, indices, signal })
  return sent.status === 'present' ? { ...found, value: { count, receipts: sent.value } } : sent
}
