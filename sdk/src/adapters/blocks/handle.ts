/** Who answers each method of the extension. */

import { printable } from '../../encoding/printable.js'
import { InputError } from '../../result/errors.js'
import type { Answer, Ask } from '../methods.js'
import { unprovable } from '../rpcError.js'
import { feeHistory, gasPrice, maxPriorityFeePerGas } from './fees.js'
import {
  type FilterStore,
  filterChanges,
  filterLogs,
  logsOf,
  newBlockFilter,
  newFilter,
  uninstallFilter,
} from './filters.js'
import {
  countTransactions,
  countUncles,
  getFullBlock,
  getHeader,
  receiptBy,
  receiptsOf,
  transactionAt,
  transactionBy,
} from './lists.js'
import { transactionCount } from './nonce.js'

type Handler = (ask: Ask, filters: FilterStore) => Promise<Answer>

const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['eth_getBlockByNumber', getFullBlock],
  ['eth_getBlockByHash', getFullBlock],
  ['eth_getHeaderByNumber', getHeader],
  ['eth_getHeaderByHash', getHeader],
  ['eth_getBlockTransactionCountByNumber', countTransactions],
  ['eth_getBlockTransactionCountByHash', countTransactions],
  ['eth_getUncleCountByBlockNumber', countUncles],
  ['eth_getUncleCountByBlockHash', countUncles],
  ['eth_getTransactionByHash', transactionBy],
  ['eth_getTransactionByBlockNumberAndIndex', transactionAt],
  ['eth_getTransactionByBlockHashAndIndex', transactionAt],
  ['eth_getTransactionReceipt', receiptBy],
  ['eth_getBlockReceipts', receiptsOf],
  ['eth_getLogs', logsOf],
  ['eth_newFilter', newFilter],
  ['eth_newBlockFilter', newBlockFilter],
  ['eth_getFilterChanges', filterChanges],
  ['eth_getFilterLogs', filterLogs],
  ['eth_uninstallFilter', uninstallFilter],
  ['eth_getTransactionCount', transactionCount],
  ['eth_gasPrice', gasPrice],
  ['eth_maxPriorityFeePerGas', maxPriorityFeePerGas],
  ['eth_feeHistory', feeHistory],
])

/** Answers a method of the extension. */
export async function handle(method: string, ask: Ask, filters: FilterStore): Promise<Answer> {
  const handler = HANDLERS.get(method)
  if (handler === undefined) throw unprovable(`nothing here answers ${printable(method)}`)
  try {
    return await handler(ask, filters)
  } catch (error) {
    // The chain's headers hold no such root.
    if (error instanceof InputError && error.code === 'input.chain') throw unprovable(error.message)
    throw error
  }
}
