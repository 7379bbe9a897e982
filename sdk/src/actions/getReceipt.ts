import type { Client } from '../client/client.js'
import type { Result } from '../result/result.js'
import type { Receipt } from '../systems/body/types.js'
import { type Mined, proveByHash, type TransactionParameters } from './blockBody.js'

/**
 * Proves the receipt of a transaction by the transaction's hash, and the block that holds it.
 *
 * @returns present, invalid or unavailable; never absent: nothing shows that a transaction is in no
 *   block.
 * @throws InputError for a malformed argument, PlatformError, or the reason of an aborted signal.
 */
export async function getReceipt(
  client: Client,
  parameters: TransactionParameters,
): Promise<Result<Receipt & Mined, never>> {
  return proveByHash(client, parameters, 'receipts', ({ transactionHash }) => transactionHash)
}
