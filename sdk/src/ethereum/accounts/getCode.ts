import { parseParameters } from '../../actions/parameters.js'
import type { Client } from '../../client/client.js'
import type { Hex } from '../../encoding/hex.js'
import { prove } from '../../proving/prove.js'
import type { Result } from '../../result/result.js'
import { mpt } from '../../systems/mpt.js'
import { ACCOUNT_PARAMETERS, type AccountParameters, parseQuestion, toResult } from './account.js'

/**
 * Proves the code of a contract: keccak-256 of the served bytes is the code hash of the proven
 * account.
 *
 * @returns present with the code, absent with `0x` (no such account, or one without code), invalid
 *   or unavailable.
 * @throws {@link InputError} for a malformed argument, {@link PlatformError}, or the reason of an
 *   aborted signal.
 */
export async function getCode(
  client: Client,
  parameters: AccountParameters,
): Promise<Result<Hex, '0x'>> {
  const given = parseParameters(client, parameters, ACCOUNT_PARAMETERS)
  const outcome = await prove(client, mpt, await parseQuestion(client, given, [], true))
  return toResult(client, outcome, ['account', 'code'], '0x', ({ code }) =>
    code === '0x' ? undefined : code,
  )
}
