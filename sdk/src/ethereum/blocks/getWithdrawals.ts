import { type BlockAndSignal, parseParameters } from '../../actions/parameters.js'
import type { Client } from '../../client/client.js'
import type { Result } from '../../result/result.js'
import type { Withdrawal } from '../../systems/body/types.js'
import { proveBody } from './blockBody.js'

/** All withdrawals of a block. */
export interface BlockWithdrawals {
  readonly withdrawals: readonly Withdrawal[]
}

/**
 * Proves a block's withdrawals from the beacon chain; a block before Shanghai has none.
 *
 * @returns present, invalid or unavailable; never absent.
 * @throws InputError for a malformed argument, PlatformError, or the reason of an aborted signal.
 */
export async function getWithdrawals(
  client: Client,
  parameters: BlockAndSignal = {},
): Promise<Result<BlockWithdrawals, never>> {
  const given = parseParameters(client, parameters, ['at', 'signal'])
  return proveBody(client, { ...given, list: 'withdrawals' }, 'withdrawals')
}
