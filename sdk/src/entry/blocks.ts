/**
 * Entry for the contents of Ethereum blocks: transactions, receipts, withdrawals, logs. Also sends
 * a transaction and waits for it. Needs a client of `lightproof`; works with any Ethereum node.
 *
 * @packageDocumentation
 */

export type { SendersParameters } from '../actions/parameters.js'
export type { WatchParameters } from '../actions/watch.js'
export { type BlockNews, watchBlocks } from '../actions/watchBlocks.js'
export type { Mined, TransactionParameters } from '../ethereum/blocks/blockBody.js'
export { type Fees, type FeesParameters, getFees } from '../ethereum/blocks/getFees.js'
export {
  type FullBlock,
  type FullBlockParameters,
  getBlock,
} from '../ethereum/blocks/getFullBlock.js'
export {
  type BlockLog,
  getLogs,
  type Logs,
  type LogsParameters,
  type LogsProgress,
  type LogsResult,
} from '../ethereum/blocks/getLogs.js'
export { getPendingNonce, type PendingNonceParameters } from '../ethereum/blocks/getPendingNonce.js'
export { getReceipt } from '../ethereum/blocks/getReceipt.js'
export { type BlockReceipts, getReceipts } from '../ethereum/blocks/getReceipts.js'
export { getTransaction } from '../ethereum/blocks/getTransaction.js'
export {
  type BlockItemsParameters,
  type BlockTransactions,
  getTransactions,
} from '../ethereum/blocks/getTransactions.js'
export { type BlockWithdrawals, getWithdrawals } from '../ethereum/blocks/getWithdrawals.js'
export type { LogNews } from '../ethereum/blocks/logNews.js'
export { type Replaced, ReplacedError, type SenderParameters } from '../ethereum/blocks/replaced.js'
export {
  type SendParameters,
  type SendReport,
  type Sent,
  sendRawTransaction,
} from '../ethereum/blocks/sendRawTransaction.js'
export {
  type Confirmed,
  type WaitParameters,
  waitForTransaction,
} from '../ethereum/blocks/waitForTransaction.js'
export { type WatchLogsParameters, watchLogs } from '../ethereum/blocks/watchLogs.js'
export type { RecoverAddress, SignedHash } from '../systems/body/sender.js'
export type * from '../systems/body/types.js'
export { type BodyTypes, body } from '../systems/body.js'
