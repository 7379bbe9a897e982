/** What the actions about Ethereum accounts have in common. */

import { type BlockAndSignal, parseInquiry } from '../../actions/parameters.js'
import type { Client } from '../../client/client.js'
import type { Hex } from '../../encoding/hex.js'
import { parseAddress } from '../../encoding/input.js'
import type { Inquiry, Proving } from '../../proving/prove.js'
import { trustOf } from '../../proving/trust.js'
import type { Result } from '../../result/result.js'
import { askAccount, type FactJson, type MptTypes } from '../../systems/mpt.js'
import type { ProvedPart } from '../../systems/system.js'

/** An account at a block. */
export interface AccountParameters extends BlockAndSignal {
  /** `0x` and 40 hex digits. In mixed case its EIP-55 checksum must be right. */
  readonly address: string
}

/** Names of {@link AccountParameters}. */
export const ACCOUNT_PARAMETERS = ['address', 'at', 'signal'] as const

/** The question that the parameters ask about an account. */
export async function parseQuestion(
  client: Client,
  parameters: { readonly [key in keyof AccountParameters]?: unknown },
  slots: readonly Hex[] = [],
  wantCode = false,
): Promise<Inquiry> {
  const { address } = parameters
  return parseInquiry(
    client,
    parameters,
    (hash) => askAccount(parseAddress(address, 'address', hash), slots, wantCode),
    // For the checksum, which all-lower addresses do not have.
    typeof address !== 'string' || address !== address.toLowerCase(),
  )
}

/**
 * The outcome of a proof as the result of an action that reads one value of it.
 *
 * @param absent - what the protocol reads where there is nothing.
 * @param read - the value; undefined if it is proven absent.
 */
export function toResult<V, const D>(
  client: Client,
  outcome: Proving<MptTypes>,
  proved: readonly ProvedPart[],
  absent: D,
  read: (fact: FactJson) => V | undefined,
): Result<V, D> {
  if (outcome.status !== 'proven') return outcome
  const trust = trustOf(client, outcome.value, outcome, proved)
  const value = read(outcome.value.fact)
  return value === undefined
    ? { status: 'absent', value: absent, trust }
    : { status: 'present', value, trust }
}
