import type { Client } from '../client/client.js'
import type { Result } from '../result/result.js'
import type { Transaction } from '../systems/body/types.js'
import { type Mined, proveByHash, type TransactionParameters } from './blockBody.js'

/**
 * Proves a transaction by its hash, and the block that holds it.
 *
 * @returns present, invalid or unavailable; never absent: nothing shows that a transaction is in no
 *   block.
 * @throws InputError for a malformed argument, PlatformError, or the reason of an aborted signal.
 */
export async function getTransaction(
  client: Client,
  parameters: TransactionParameters,
): Promise<Result<Transaction & Mined, never>> {
  return proveByHash(client, parameters, 'transactions', ({ hash }) => hash)
}
