import { parseParameters } from '../../actions/parameters.js'
import type { Client } from '../../client/client.js'
import { parseSlot, type SlotLike } from '../../encoding/input.js'
import { prove } from '../../proving/prove.js'
import type { Result } from '../../result/result.js'
import { mpt, slotsOf } from '../../systems/mpt.js'
import { ACCOUNT_PARAMETERS, type AccountParameters, parseQuestion, toResult } from './account.js'

/** A storage slot of a contract at a block. */
export interface StorageParameters extends AccountParameters {
  /** Its number, or hex of at most 32 bytes. */
  readonly slot: SlotLike
}

/**
 * Proves one storage slot of a contract.
 *
 * @returns present with the value, absent with 0n (the slot was never written or was cleared, or
 *   there is no such account), invalid or unavailable.
 * @throws {@link InputError} for a malformed argument, {@link PlatformError}, or the reason of an
 *   aborted signal.
 */
export async function getStorage(
  client: Client,
  parameters: StorageParameters,
): Promise<Result<bigint, 0n>> {
  const given = parseParameters(client, parameters, [...ACCOUNT_PARAMETERS, 'slot'])
  const slot = parseSlot(given.slot, 'slot')
  const outcome = await prove(client, mpt, await parseQuestion(client, given, [slot]))
  return toResult(client, outcome, ['account', 'storage'], 0n, (fact) => {
    const [proven] = slotsOf(fact)
    return proven?.status === 'present' ? proven.value : undefined
  })
}
