import type { Client } from '../../client/client.js'
import type { Hash } from '../../encoding/input.js'
import type { Result } from '../../result/result.js'
import type { Receipt } from '../../systems/body/types.js'
import { type Mined, proveByHash, type TransactionParameters } from './blockBody.js'
import { blockIn, parseSenders, receiptsWithSenders } from './senders.js'

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
  const isWanted = parseSenders(parameters?.senders)
  const hashOf = ({ transactionHash }: Receipt): Hash => transactionHash
  const found = await proveByHash(client, parameters, 'receipts', hashOf)
  if (!isWanted || found.status !== 'present') return found
  const { transactionIndex } = found.value
  const place = { block: blockIn(found.trust), indices: [transactionIndex] }
  const sent = await receiptsWithSenders(client, [found.value], {
    ...place,
    signal: parameters.signal,
  })
  if (sent.status !== 'present') return sent
  const [value = found.value] = sent.value
  return { ...found, value }
}
