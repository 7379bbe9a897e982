/** What a node that lies about everything answers. */

import { toBeHex } from 'ethers'
import { isRecord, replaceAt } from './json.js'
import type { Tamper } from './proxy.js'

const raised = (quantity: unknown): unknown =>
  typeof quantity === 'string' ? toBeHex(BigInt(quantity) + 1n) : quantity

/** The account's own node of the proof is another. */
function forgedProof(result: unknown): unknown {
  const { accountProof } = result as { accountProof: string[] }
  const last = accountProof.at(-1) ?? ''
  const digit = last.at(-3) === '0' ? '1' : '0'
  return {
    ...(result as object),
    accountProof: [...accountProof.slice(0, -1), `${last.slice(0, -3)}${digit}${last.slice(-2)}`],
  }
}

/** Every claim is another: balances, calls, slots, lists of blocks, receipts, fees, logs. */
export const lieOfAll: Tamper = (method, result) => {
  switch (method) {
    case 'eth_getProof':
      return replaceAt(forgedProof(result), ['balance'], raised)
    case 'eth_getCode':
      return '0x600160005260206000f3'
    case 'eth_getBalance':
    case 'eth_call':
    case 'eth_gasPrice':
    case 'eth_getTransactionCount':
    case 'eth_estimateGas':
      return raised(result)
    case 'eth_getBlockReceipts':
    case 'eth_getLogs':
      return []
    case 'eth_getBlockByHash':
    case 'eth_getBlockByNumber':
      return isRecord(result) ? { ...result, transactions: [] } : result
    case 'eth_getTransactionByHash':
      return isRecord(result) ? { ...result, blockNumber: '0x1', transactionIndex: '0x0' } : result
    default:
      return result
  }
}
