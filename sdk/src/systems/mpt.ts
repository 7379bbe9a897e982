/** System mpt: what is asked about an account, and the core's fact as values. */

import { bytesOf, type Hex, integerBytes } from '../encoding/hex.js'
import type { Address } from '../encoding/input.js'
import { encodeRlp } from '../encoding/rlp.js'
import type { FactJson } from '../file.js'
import type { Account, ProvenAccount, ProvenSlot } from '../result.js'

/** The query's RLP: `[address, [slot…], wantCode]`. */
export function encodeQuery(
  address: Address,
  slots: readonly Hex[],
  wantCode: boolean,
): Uint8Array {
  const flag = integerBytes(wantCode ? 1n : 0n)
  return encodeRlp([bytesOf(address), slots.map(bytesOf), flag])
}

/** The account of a fact; undefined if it is proven absent. */
export function accountOf({ account }: FactJson): Account | undefined {
  if (account.status === 'absent') return undefined
  const { nonce, balance, storageHash, codeHash } = account
  return { nonce: BigInt(nonce), balance: BigInt(balance), storageHash, codeHash }
}

/** The slots of a fact, in the order of the query. */
export function slotsOf({ slots }: FactJson): ProvenSlot[] {
  return slots.map((slot) => ({
    slot: slot.key,
    status: slot.status,
    value: slot.status === 'present' ? BigInt(slot.value) : 0n,
  }))
}

/** All of a fact. */
export function provenAccount(address: Hex, fact: FactJson): ProvenAccount {
  return { address, account: accountOf(fact) ?? null, slots: slotsOf(fact), code: fact.code }
}
