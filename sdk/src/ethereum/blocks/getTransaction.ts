import type { Client } from '../../client/client.js'
import type { Result } from '../../result/result.js'
import type { Transaction } from '../../systems/body/types.js'
import { type Mined, proveByHash, type TransactionParameters } from './blockBody.js'
import { parseSenders, withSenders } from './senders.js'

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
  const isWanted = parseSenders(parameters?.senders)
  const found = await proveByHash(client, parameters, 'transactions', ({ hash }) => hash)
  if (!isWanted || found.status !== 'present') return found
  const [value = found.value] = await withSenders([found.value], parameters.signal)
  return { ...found, value }
}
