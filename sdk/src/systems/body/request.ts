/** A block's lists from a plain Ethereum node. */

import { asRecord } from '../../encoding/untrusted.js'
import { perform } from '../../proving/engine.js'
import type { Header } from '../../proving/header.js'
import { UnavailableError } from '../../result/errors.js'
import type { Desk } from '../system.js'
import type { BodyAnswers } from './encode.js'

/** Which lists a proof holds. */
export interface Lists {
  readonly transactions?: boolean
  readonly receipts?: boolean
  readonly withdrawals?: boolean
}

/**
 * The core's proof for a block. Untrusted.
 *
 * @throws ProofError `decode.response`; UnavailableError `block`; RpcError; TransportError.
 */
export async function requestBody(
  desk: Desk,
  { transactions = false, receipts = false, withdrawals = false }: Lists,
  { hash, number }: Header,
): Promise<Uint8Array> {
  const [block, all] = await Promise.all([
    (transactions || withdrawals) &&
      desk.call({ method: 'eth_getBlockByHash', params: [hash, transactions] }),
    receipts && desk.call({ method: 'eth_getBlockReceipts', params: [hash] }),
  ])
  if (block === null || all === null) {
    throw new UnavailableError('block', `${desk.node} does not have block ${number}`)
  }
  const answers: BodyAnswers = {
    ...(transactions && { transactions: memberOf(block, 'transactions') }),
    ...(receipts && { receipts: all }),
    // Left out before Shanghai; by a liar, against the header's root.
    ...(withdrawals && { withdrawals: memberOf(block, 'withdrawals') ?? [] }),
  }
  return perform<Uint8Array>({ kind: 'encode', answers }, desk.signal)
}

/** null unless it is a list. */
function memberOf(block: unknown, name: string): unknown {
  return asRecord(block, 'eth_getBlockByHash')[name] ?? null
}
