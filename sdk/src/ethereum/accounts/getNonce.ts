import { parseParameters } from '../../actions/parameters.js'
import type { Client } from '../../client/client.js'
import { prove } from '../../proving/prove.js'
import type { Result } from '../../result/result.js'
import { accountOf, mpt } from '../../systems/mpt.js'
import { ACCOUNT_PARAMETERS, type AccountParameters, parseQuestion, toResult } from './account.js'

/**
 * Proves the nonce of an account: how many transactions it sent, or contracts it made.
 *
 * @returns present with the nonce, absent with 0n (there is no such account), invalid or
 *   unavailable.
 * @throws {@link InputError} for a malformed argument, {@link PlatformError}, or the reason of an
 *   aborted signal.
 */
export async function getNonce(
  client: Client,
  parameters: AccountParameters,
): Promise<Result<bigint, 0n>> {
  const question = await parseQuestion(
    client,
    parseParameters(client, parameters, ACCOUNT_PARAMETERS),
  )
  const outcome = await prove(client, mpt, question)
  return toResult(client, outcome, ['account', 'nonce'], 0n, (fact) => accountOf(fact)?.nonce)
}
