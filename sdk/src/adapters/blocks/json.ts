/**
 * Proven transactions, receipts, logs and withdrawals as the JSON of nodes, without what no root
 * binds: `from` and `contractAddress` come only with a recovered sender, `blobGasPrice`,
 * `blockTimestamp` of logs and `size` never.
 */

import type { Hex } from '../../encoding/hex.js'
import { toQuantity } from '../../encoding/hex.js'
import type { Mined } from '../../ethereum/blocks/blockBody.js'
import type { BlockLog } from '../../ethereum/blocks/getLogs.js'
import { type Json, toJson } from '../../result/json.js'
import { legacyChainId } from '../../systems/body/sender.js'
import type { Log, Receipt, Transaction, Withdrawal } from '../../systems/body/types.js'

/** A JSON object. */
export type JsonRecord = { readonly [key: string]: Json }

/** Of numbers as quantities; what is undefined is left out. */
function quantities(record: object): JsonRecord {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      typeof value === 'number' ? toQuantity(BigInt(value)) : toJson(value),
    ]),
  )
}

/** A transaction as `eth_getTransactionByHash` prints it; without a place, one that waits. */
export function transactionJson(
  { signingHash: _, ...transaction }: Omit<Transaction, 'hash' | 'transactionIndex'>,
  from: Hex | undefined,
  mined?: Mined,
): JsonRecord {
  const { v, yParity } = transaction
  const legacy = v === undefined ? undefined : legacyChainId(v)
  return quantities({
    ...(legacy === undefined ? {} : { chainId: legacy }),
    ...transaction,
    v: v ?? yParity,
    ...(mined && { blockHash: mined.blockHash, blockNumber: mined.blockNumber }),
    from,
  })
}

/** A receipt as `eth_getTransactionReceipt` prints it. */
export function receiptJson(
  { succeeded, logs, ...receipt }: Receipt,
  mined: Mined,
  made: { readonly from: Hex | undefined; readonly contractAddress: Hex | null | undefined },
): JsonRecord {
  const { blockHash, blockNumber } = mined
  const { transactionHash, transactionIndex } = receipt
  const place = { transactionHash, transactionIndex, blockHash, blockNumber }
  return {
    ...quantities({ ...receipt, blockHash, blockNumber, ...made }),
    ...(succeeded === undefined ? {} : { status: succeeded ? '0x1' : '0x0' }),
    logs: logs.map((log) => logJson({ ...log, ...place })),
  }
}

/** A log as `eth_getLogs` prints it. */
export function logJson(
  log: Log & Pick<BlockLog, 'transactionIndex' | 'transactionHash' | 'blockHash' | 'blockNumber'>,
  removed = false,
): JsonRecord {
  const { address, topics, data, blockHash, blockNumber, logIndex } = log
  const { transactionHash, transactionIndex } = log
  const place = { blockHash, blockNumber, transactionHash, transactionIndex, logIndex }
  return { address, topics, data, ...quantities(place), removed }
}

/** A withdrawal as blocks print it. */
export function withdrawalJson(withdrawal: Withdrawal): JsonRecord {
  return quantities(withdrawal)
}
