/** Senders of transactions, recovered from their signatures. */

import type { Client } from '../../client/client.js'
import { shown } from '../../encoding/input.js'
import type { BlockId } from '../../proving/nodes.js'
import { InputError } from '../../result/errors.js'
import type { Result, Trust } from '../../result/result.js'
import { contractOf, signedHashOf } from '../../systems/body/sender.js'
import type { Receipt, Transaction } from '../../systems/body/types.js'
import { loadPart } from '../../wasm/part.js'
import { proveBody } from './blockBody.js'

/** @throws InputError */
export function parseSenders(value: unknown = false): boolean {
  if (typeof value === 'boolean') return value
  throw new InputError('input.option', 'senders', `expected true or false, got ${shown(value)}`)
}

/**
 * The transactions with their senders, all of them recovered at once.
 *
 * @throws PlatformError, or the signal's reason.
 */
export async function withSenders<T extends Transaction>(
  transactions: readonly T[],
  signal: AbortSignal | undefined,
): Promise<readonly T[]> {
  if (transactions.length === 0) return transactions
  const { recoverAddresses } = await loadPart(() => import('../../evm/recover.js'))
  const senders = await recoverAddresses(transactions.map(signedHashOf), signal)
  return transactions.map((transaction, i) => {
    const from = senders[i]
    return from === undefined ? transaction : { ...transaction, from }
  })
}

/**
 * The receipts with the senders of their transactions, which are proven for it.
 *
 * @param indices - places of the receipts; all, if left out.
 */
export async function receiptsWithSenders<R extends Receipt>(
  client: Client,
  receipts: readonly R[],
  { block, indices, signal }: ReceiptsOf,
): Promise<Result<readonly R[], never>> {
  const asked = {
    at: block,
    ...(indices !== undefined && { indices }),
    ...(signal !== undefined && { signal }),
  }
  const proven = await proveBody(client, { ...asked, list: 'transactions' }, 'transactions')
  if (proven.status !== 'present') return proven
  const sent = await withSenders(proven.value.transactions, signal)
  const byIndex = new Map(sent.map((each) => [each.transactionIndex, each]))
  const value: R[] = []
  for (const receipt of receipts) {
    const { from, nonce } = byIndex.get(receipt.transactionIndex) ?? {}
    if (from === undefined || nonce === undefined) value.push(receipt)
    else {
      const contractAddress = receipt.to === null ? await contractOf(from, nonce) : null
      value.push({ ...receipt, from, contractAddress })
    }
  }
  return { ...proven, value }
}

/** The block that a trust report names. */
export function blockIn({ block: { number, hash } }: Trust): BlockId {
  if (number === null || hash === null) throw new TypeError('a body is proven under a header')
  return { number, hash }
}

/** Where the receipts are. */
interface ReceiptsOf {
  readonly block: BlockId
  readonly indices: readonly number[] | undefined
  readonly signal: AbortSignal | undefined
}
