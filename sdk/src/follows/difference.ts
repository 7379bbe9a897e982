/** What two blocks, or two proofs, say differently. */

import type { Header } from '../proving/header.js'
import { type FactJson, mpt } from '../systems/mpt.js'
import type { StateItem } from '../systems/system.js'

/**
 * What a block of ours says otherwise than the followed chain's block of its number; undefined if
 * they agree.
 */
export function differenceOf(header: Header, origin: Header): string | undefined {
  const [ours, theirs] = [header, origin].map(({ commitments }) => commitments[mpt.name])
  const { number } = header
  if (number !== origin.number) return `block ${number} names block ${origin.number} as its origin`
  if (header.origin !== origin.hash) {
    return `block ${number} names ${header.origin} as its origin, but the followed chain has ${origin.hash}`
  }
  if (ours !== undefined && ours !== theirs) {
    return `block ${number} commits to the state ${ours}, but its origin to ${theirs}`
  }
  return undefined
}

/** What an account's proof says of a value. */
export function valueIn({ account, slots }: FactJson, { slot }: StateItem): bigint {
  if (slot === undefined) return account.status === 'present' ? BigInt(account.balance) : 0n
  const found = slots.find(({ key }) => key === slot)
  return found?.status === 'present' ? BigInt(found.value) : 0n
}

/** The sentence for a value that two proofs give differently. */
export function wordsFor(
  { address, slot, value }: StateItem,
  other: bigint,
  number: bigint,
): string {
  const what = slot === undefined ? `the balance of ${address}` : `slot ${slot} of ${address}`
  return `${what} is proven to be ${value} in block ${number}, but ${other} under the state root of its origin`
}
