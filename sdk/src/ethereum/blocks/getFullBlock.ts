import { type BlockParameters, getBlock as getHeader } from '../../actions/getBlock.js'
import { parseParameters, type SendersParameters } from '../../actions/parameters.js'
import type { Client } from '../../client/client.js'
import { shown } from '../../encoding/input.js'
import { InputError } from '../../result/errors.js'
import type { Block, Result } from '../../result/result.js'
import type { Transaction } from '../../systems/body/types.js'
import { getTransactions } from './getTransactions.js'
import { parseSenders } from './senders.js'

/** A block, and whether its transactions are wanted. */
export interface FullBlockParameters extends BlockParameters, SendersParameters {
  /** Whether the block comes with all of its transactions. Default false. */
  readonly transactions?: boolean
}

/** A block, with its transactions if they were asked for. */
export interface FullBlock extends Block {
  /** Undefined unless `transactions` asked for them. */
  readonly transactions?: readonly Transaction[]
}

/**
 * Finds a block as `getBlock` of `lightproof` does; with `transactions: true` proves all of its
 * transactions too. Without, the block has no list, not an empty one.
 *
 * @returns present, invalid or unavailable; never absent.
 * @throws InputError for a malformed argument, PlatformError, or the reason of an aborted signal.
 */
export async function getBlock(
  client: Client,
  parameters: FullBlockParameters = {},
): Promise<Result<FullBlock, never>> {
  const names = ['block', 'transactions', 'senders', 'signal'] as const
  const { transactions = false, senders: given } = parseParameters(client, parameters, names)
  const senders = parseSenders(given)
  if (typeof transactions !== 'boolean') {
    const problem = `expected true or false, got ${shown(transactions)}`
    throw new InputError('input.option', 'transactions', problem)
  }
  const { block, signal } = parameters
  const end = signal === undefined ? {} : { signal }
  const found = await getHeader(client, block === undefined ? end : { block, ...end })
  if (!transactions || found.status !== 'present') return found
  const list = await getTransactions(client, { at: found.value, senders, ...end })
  if (list.status !== 'present') return list
  // The same object, so that its header is kept with it.
  const all = { transactions: list.value.transactions }
  return { ...list, value: Object.assign(found.value, all) }
}
