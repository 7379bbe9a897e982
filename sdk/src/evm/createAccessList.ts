import type { Client } from '../client/client.js'
import type { Hex } from '../encoding/hex.js'
import { onState } from './onState.js'
import { outcomeOf, resultOf } from './outcome.js'
import { CALL_FIELDS, parseCall } from './parse.js'
import type { Call } from './request.js'
import type { Accessed, CallParameters, CallResult } from './types.js'

/** P-256 (EIP-7951): the highest address of a precompiled contract. */
const LAST_PRECOMPILE = 0x100n

/** Accounts and slots that a call reads, and what it costs if it names them. */
export interface AccessListOutcome {
  readonly accessList: readonly { readonly address: Hex; readonly storageKeys: readonly Hex[] }[]
  readonly gasUsed: bigint
}

/**
 * The access list (EIP-2930) of a call: what it reads, found by running it on proven state, and the gas that it uses with it.
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
      const list = listOf(first.value.accessed, parsed)
      // With the list the call may go another way, by the gas that it has left.
      const named = [
        ...parsed.accessList,
        ...list.map(({ address, slots }) => ({ address, keys: slots })),
      ]
      const second = outcomeOf(
        (await run([{ ...parsed, accessList: named as Call['accessList'] }]))[0],
      )
      if (second.status !== 'success') return second
      const accessList = listOf(second.value.accessed, parsed).map(({ address, slots }) => {
        return { address, storageKeys: slots }
      })
      return { status: 'success' as const, value: { accessList, gasUsed: second.value.gasUsed } }
    }
  })
  return resultOf(outcome)
}

/** Without what is read at no extra cost: the caller, the called account and the precompiled contracts. */
function listOf({ accounts }: Accessed, { from, to }: Call): Accessed['accounts'] {
  const isFree = (address: Hex): boolean =>
    address === from || address === to || BigInt(address) <= LAST_PRECOMPILE
  return accounts.filter(({ address, slots }) => slots.length > 0 || !isFree(address))
}
