/**
 * Entry for what a block of Ethereum holds beside state: transactions, receipts, withdrawals, logs. Beside `lightproof`, which
 * makes the client. Plain Ethereum nodes answer.
 *
 * @packageDocumentation
 */

export type { Mined, TransactionParameters } from '../actions/blockBody.js'
export {
  type BlockLog,
  getLogs,
  type Logs,
  type LogsParameters,
  type LogsProgress,
} from '../actions/getLogs.js'
export { getReceipt } from '../actions/getReceipt.js'
export { type BlockReceipts, getReceipts } from '../actions/getReceipts.js'
export { getTransaction } from '../actions/getTransaction.js'
export {
  type BlockItemsParameters,
  type BlockTransactions,
  getTransactions,
} from '../actions/getTransactions.js'
export { type BlockWithdrawals, getWithdrawals } from '../actions/getWithdrawals.js'
export type * from '../systems/body/types.js'
export { type BodyTypes, body } from '../systems/body.js'
