import { parseParameters } from '../../actions/parameters.js'
import type { Client } from '../../client/client.js'
import { prove } from '../../proving/prove.js'
import type { Result } from '../../result/result.js'
import { type Account, accountOf, mpt } from '../../systems/mpt.js'
import { ACCOUNT_PARAMETERS, type AccountParameters, parseQuestion, toResult } from './account.js'

/**
 * Proves an account: all four fields, or that there is no such account.
 *
 * @returns present with the account, absent with null, invalid or unavailable.
 * @throws {@link InputError} for a malformed argument, {@link PlatformError}, or the reason of an
 *   aborted signal.
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
