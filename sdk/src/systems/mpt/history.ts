/** The contract that keeps the hashes of the newest 8,191 blocks (EIP-2935). */

import { integerBytes, toHex } from '../../encoding/hex.js'
import { type Address, type Hash, leftPad } from '../../encoding/input.js'
import { askAccount, type FactJson } from '../mpt.js'
import type { Question } from '../system.js'

/** Its address. */
export const HISTORY = '0x0000f90827f1c53a10cb7a02335b175320002935' as Address
/** How many blocks before its own a state has the hashes of. */
export const REACH = 8191n
/** Most proofs that follow one another: 131,056 blocks, 18 days of Ethereum. */
export const MAX_LEAPS = 16
/** keccak-256 of its code: another contract at its address keeps something else. */
const CODE_HASH = '0x6e49e66782037c0555897870e29fa5e552daf4719552131a0abce779daec0a5d' as Hash

/** The slot with the hash of a block. */
export function slotOf(number: bigint): Hash {
  return toHex(leftPad(integerBytes(number % REACH))) as Hash
}

/** The question for the hash of a block. */
export function askHash(number: bigint): Question {
  return askAccount(HISTORY, [slotOf(number)], false)()
}

/**
 * The hash in the one slot that was proven; undefined if the contract is another one, or the slot
 * is empty.
 */
export function hashIn({ account, slots: [slot] }: FactJson): Hash | undefined {
  const isContract = account.status === 'present' && account.codeHash === CODE_HASH
  if (!isContract || slot?.status !== 'present') return undefined
  return toHex(leftPad(integerBytes(BigInt(slot.value)))) as Hash
}
