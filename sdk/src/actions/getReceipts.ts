import type { Client } from '../client/client.js'
import type { Result } from '../result/result.js'
import type { Receipt } from '../systems/body/types.js'
import { proveBody } from './blockBody.js'
import { type BlockItemsParameters, ITEMS_PARAMETERS } from './getTransactions.js'
import { parseParameters } from './parameters.js'

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
  const given = parseParameters(client, parameters, ITEMS_PARAMETERS)
  return proveBody(client, { ...given, list: 'receipts' }, 'receipts')
}
