/**
 * `eth_getTransactionCount`, `pending` included: the proven nonce, and what this client sent since.
 */

import { toQuantity } from '../../encoding/hex.js'
import { shown } from '../../encoding/input.js'
import { getNonce } from '../../ethereum/accounts/getNonce.js'
import { raised } from '../../ethereum/blocks/getPendingNonce.js'
import { sentBy } from '../../ethereum/blocks/sent.js'
import { blockOf } from '../blockTag.js'
import { type Answer, type Ask, settle } from '../methods.js'
import { invalidParams, unprovable } from '../rpcError.js'

/**
 * The nonce of an account. Of `pending`, that of the newest trusted block, raised by transactions
 * that this client sent and that follow without a gap. What others sent is not in it: no node's
 * word raises it.
 *
 * @throws ProviderRpcError 4200 if this client sent transactions whose senders it cannot recover.
 */
export async function transactionCount(ask: Ask): Promise<Answer> {
  const { client, params, signal, recoverAddress } = ask
  const [address, tag] = params
  if (typeof address !== 'string') throw invalidParams(`expected an address, got ${shown(address)}`)
  const isPending = tag === 'pending'
  const at = blockOf(client, isPending ? 'latest' : tag)
  const nonce = await getNonce(client, { address, signal, ...(at === undefined ? {} : { at }) })
  const proven = settle<bigint, bigint>(nonce, toQuantity)
  if (!isPending || nonce.status === 'invalid' || nonce.status === 'unavailable') return proven
  if (sentBy(client).length === 0) return proven
  if (recoverAddress === undefined) {
    throw unprovable(
      'whose transactions this client sent takes the option recoverAddress; or ask for "latest"',
    )
  }
  const next = await raised(client, address, nonce.value, recoverAddress)
  return { ...proven, result: toQuantity(next) }
}
