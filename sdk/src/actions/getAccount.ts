import type { Client } from '../client.js'
import { prove } from '../core/prove.js'
import { toResult } from '../core/trust.js'
import type { Account, Result } from '../result.js'
import { accountOf, mpt } from '../systems/mpt.js'
import {
  ACCOUNT_PARAMETERS,
  type AccountParameters,
  parseParameters,
  parseQuestion,
} from './parameters.js'

/**
 * Proves an account: all four fields, or that there is no such account.
 *
 * @returns present with the account, absent with null, invalid or unavailable.
 * @throws {@link InputError} for a malformed argument, {@link PlatformError}, or the reason of an aborted signal.
 */
export async function getAccount(
  client: Client,
  parameters: AccountParameters,
): Promise<Result<Account, null>> {
  const question = await parseQuestion(
    client,
    parseParameters(client, parameters, ACCOUNT_PARAMETERS),
  )
  const outcome = await prove(client, mpt, question)
  return toResult(client, outcome, ['account'], null, accountOf)
}
