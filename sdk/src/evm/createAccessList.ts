import type { Client } from '../client/client.js'
import type { Hex } from '../encoding/hex.js'
import { onState } from './onState.js'
import { accessListOf, outcomeOf, resultOf } from './outcome.js'
import { CALL_FIELDS, parseCall } from './parse.js'
import type { CallParameters, CallResult } from './types.js'

/** Accounts and slots that a call reads, and what it costs if it names them. */
export interface AccessListOutcome {
  readonly accessList: readonly { readonly address: Hex; readonly storageKeys: readonly Hex[] }[]
  readonly gasUsed: bigint
}

/**
 * The access list (EIP-2930) of a call: what it reads, found by running it on proven state, and the
 * gas that it uses with it.
 *
 * @returns success, reverted, invalid or unavailable.
 * @throws InputError for a malformed argument, PlatformError, or the reason of an aborted signal.
 */
export async function createAccessList(
  client: Client,
  parameters: CallParameters,
): Promise<CallResult<AccessListOutcome>> {
  const outcome = await onState(client, parameters, CALL_FIELDS, (given, hash) => {
    const parsed = parseCall(given, hash)
    return async (run) => {
      const first = outcomeOf((await run([parsed]))[0])
      if (first.status !== 'success') return first
      const list = accessListOf(first.value.accessed, parsed)
      // With the list the call may go another way, by the gas that it has left.
      const named = list.map(({ address, storageKeys }) => ({ address, keys: storageKeys }))
      const again = { ...parsed, accessList: [...parsed.accessList, ...named] }
      const second = outcomeOf((await run([again]))[0])
      if (second.status !== 'success') return second
      const accessList = accessListOf(second.value.accessed, parsed)
      return { status: 'success' as const, value: { accessList, gasUsed: second.value.gasUsed } }
    }
  })
  return resultOf(outcome)
}
