/** Who sent a transaction, by a recovery that the caller provides: `lightproof/evm` has one. */

import { bytesOf, type Hex, integerBytes, toHex } from '../../encoding/hex.js'
import { leftPad } from '../../encoding/input.js'
import { encodeRlp } from '../../encoding/rlp.js'
import { loadHash } from '../../wasm/module.js'
import type { Transaction } from './types.js'

/** A signature on secp256k1, and the 32 bytes that were signed. */
export interface SignedHash {
  readonly hash: Hex
  /** 32 bytes each. */
  readonly r: Hex
  readonly s: Hex
  readonly yParity: 0 | 1
}

/** The address whose key signed; `recoverAddress` of viem and of ethers do it. */
export type RecoverAddress = (signed: SignedHash) => string | Promise<string>

/** A signature, and what was signed. */
export type Signed = Pick<Transaction, 'r' | 's' | 'v' | 'yParity'> & { readonly signingHash: Hex }

/** Its sender; undefined without a recovery, or if the signature is nobody's. */
export async function senderOf(
  recover: RecoverAddress | undefined,
  signed: Signed,
): Promise<Hex | undefined> {
  if (recover === undefined) return undefined
  try {
    const address = await recover(signedHashOf(signed))
    return /^0x[0-9a-f]{40}$/i.test(address) ? (address.toLowerCase() as Hex) : undefined
  } catch {
    return undefined
  }
}

/** What a recovery takes. */
export function signedHashOf({ signingHash, r, s, v, yParity }: Signed): SignedHash {
  const word = (value: bigint): Hex => toHex(leftPad(integerBytes(value)))
  const parity = yParity ?? legacyParity(v ?? 27n)
  return { hash: signingHash, r: word(r), s: word(s), yParity: parity === 1n ? 1 : 0 }
}

/** 27 and 28; from 35 on with the chain's id in it (EIP-155). */
function legacyParity(v: bigint): bigint {
  return v < 35n ? v - 27n : (v - 35n) % 2n
}

/** The chain that a legacy transaction's signature is for; undefined if it is for all. */
export function legacyChainId(v: bigint): bigint | undefined {
  return v < 35n ? undefined : (v - 35n) / 2n
}

/** Address of the contract that a transaction without receiver makes. */
export async function contractOf(sender: Hex, nonce: bigint): Promise<Hex> {
  const { keccak256 } = await loadHash()
  return toHex(keccak256(encodeRlp([bytesOf(sender), integerBytes(nonce)])).subarray(12))
}
