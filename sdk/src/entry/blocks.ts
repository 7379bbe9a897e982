/**
 * Entry for the contents of Ethereum blocks: transactions, receipts, withdrawals, logs. Also sends
 * a transaction and waits for it. Needs a client of `lightproof`; works with any Ethereum node.
 *
 * @packageDocumentation
 */

export type { Mined, TransactionParameters } from '../actions/blockBody.js'
export { type Fees, type FeesParameters, getFees } from '../actions/getFees.js'
export { type FullBlock, type FullBlockParameters, getBlock } from '../actions/getFullBlock.js'
export {
  type BlockLog,
  getLogs,
  type Logs,
  type LogsParameters,
  type LogsProgress,
  type LogsResult,
} from '../actions/getLogs.js'
export { getPendingNonce, type PendingNonceParameters } from '../actions/getPendingNonce.js'
export { getReceipt } from '../actions/getReceipt.js'
export { type BlockReceipts, getReceipts } from '../actions/getReceipts.js'
export { getTransaction } from '../actions/getTransaction.js'
export {
  type BlockItemsParameters,
  type BlockTransactions,
  getTransactions,
} from '../actions/getTransactions.js'
export { type BlockWithdrawals, getWithdrawals } from '../actions/getWithdrawals.js'
export type { LogNews } from '../actions/logNews.js'
export type { SendersParameters } from '../actions/parameters.js'
export { type Replaced, ReplacedError, type SenderParameters } from '../actions/replaced.js'
export {
  type SendParameters,
  type SendReport,
  type Sent,
  sendRawTransaction,
} from '../actions/sendRawTransaction.js'
export {
  type Confirmed,
  type WaitParameters,
  waitForTransaction,
} from '../actions/waitForTransaction.js'
export type { WatchParameters } from '../actions/watch.js'
export { type BlockNews, watchBlocks } from '../actions/watchBlocks.js'
export { type WatchLogsParameters, watchLogs } from '../actions/watchLogs.js'
export type { RecoverAddress, SignedHash } from '../systems/body/sender.js'
export type * from '../systems/body/types.js'
export { type BodyTypes, body } from '../systems/body.js'
