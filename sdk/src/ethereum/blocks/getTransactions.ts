import {
  type BlockAndSignal,
  parseParameters,
  type SendersParameters,
} from '../../actions/parameters.js'
import type { Client } from '../../client/client.js'
import type { Result } from '../../result/result.js'
import type { Transaction } from '../../systems/body/types.js'
import { proveBody } from './blockBody.js'
import { parseSenders, withSenders } from './senders.js'

/** A block, and which of its items. */
export interface BlockItemsParameters extends BlockAndSignal, SendersParameters {
  /** Places in the block, ascending; all, if left out. */
  readonly indices?: readonly number[]
}

/** Names of {@link BlockItemsParameters}. */
export const ITEMS_PARAMETERS = ['indices', 'at', 'senders', 'signal'] as const

/** Transactions of a block. */
export interface BlockTransactions {
  /** How many the block has. A place that is asked for and not there is beyond it. */
  readonly count: number
  readonly transactions: readonly Transaction[]
}

/**
 * Proves a block's transactions: the whole list is rebuilt to the header's root, so none is left
 * out or moved.
 *
 * @returns present, invalid or unavailable; never absent.
 * @throws InputError for a malformed argument, PlatformError, or the reason of an aborted signal.
 */
export async function getTransactions(
  client: Client,
  parameters: BlockItemsParameters = {},
): Promise<Result<BlockTransactions, never>> {
  const { senders, ...given } = parseParameters(client, parameters, ITEMS_PARAMETERS)
  const isWanted = parseSenders(senders)
  const found = await proveBody(client, { ...given, list: 'transactions' }, 'transactions')
  if (!isWanted || found.status !== 'present') return found
  const transactions = await withSenders(found.value.transactions, parameters.signal)
  return { ...found, value: { ...found.value, transactions } }
}
