/** A signed transaction that is in no block yet, from its bytes: its hash binds all of it. */

import { type Hex, integerBytes, toHex } from '../../encoding/hex.js'
import type { Hash } from '../../encoding/input.js'
import { itemsOf, readRlp, stringOf } from '../../encoding/readRlp.js'
import { encodeRlp, type RlpValue } from '../../encoding/rlp.js'
import { loadHash } from '../../wasm/module.js'
import type { AccessListEntry, Authorization, Transaction } from './types.js'

/** A transaction without its place. */
export type Unplaced = Omit<Transaction, 'hash' | 'transactionIndex'>

type Field =
  | 'chainId'
  | 'nonce'
  | 'gasPrice'
  | 'maxPriorityFeePerGas'
  | 'maxFeePerGas'
  | 'gas'
  | 'to'
  | 'value'
  | 'input'
  | 'accessList'
  | 'maxFeePerBlobGas'
  | 'blobVersionedHashes'
  | 'authorizationList'

const CALL = ['gas', 'to', 'value', 'input'] as const
const FEES = ['maxPriorityFeePerGas', 'maxFeePerGas'] as const
const DYNAMIC = ['chainId', 'nonce', ...FEES, ...CALL, 'accessList'] as const
/** What is signed, by type, in its order. The signature follows: three integers. */
const FIELDS: readonly (readonly Field[])[] = [
  ['nonce', 'gasPrice', ...CALL],
  ['chainId', 'nonce', 'gasPrice', ...CALL, 'accessList'],
  DYNAMIC,
  [...DYNAMIC, 'maxFeePerBlobGas', 'blobVersionedHashes'],
  [...DYNAMIC, 'authorizationList'],
]

/**
 * Decodes a signed transaction, without blobs.
 *
 * @returns undefined if the bytes have another form.
 */
export async function decodeSigned(raw: Uint8Array): Promise<Unplaced | undefined> {
  const [first = 0] = raw
  const type = first >= 0xc0 ? 0 : first
  const names = FIELDS[type]
  if (names === undefined || (type === 0) !== first >= 0xc0) return undefined
  try {
    const items = itemsOf(readRlp(type === 0 ? raw : raw.subarray(1)))
    if (items.length !== names.length + 3) return undefined
    const signed = items.slice(0, -3)
    const [v = 0n, r = 0n, s = 0n] = items.slice(-3).map(integer)
    const list = encodeRlp(type === 0 ? [...signed, ...legacyTail(v)] : signed)
    const { keccak256 } = await loadHash()
    const signingHash = toHex(keccak256(type === 0 ? list : Uint8Array.of(type, ...list))) as Hash
    const fields = Object.fromEntries(names.map((name, i) => [name, READ[name](signed[i])]))
    // Sound: every field was read by its own reader.
    const signature = { r, s, ...(type === 0 ? { v } : { yParity: v }) }
    return { type, signingHash, ...fields, ...signature } as unknown as Unplaced
  } catch {
    return undefined
  }
}

/** EIP-155: chain id, and two empty strings. */
function legacyTail(v: bigint): RlpValue[] {
  if (v < 35n) return []
  return [integerBytes((v - 35n) / 2n), new Uint8Array(0), new Uint8Array(0)]
}

const bytes = (value: RlpValue | undefined): Hex => toHex(stringOf(value))

function integer(value: RlpValue | undefined): bigint {
  const hex = bytes(value)
  return hex === '0x' ? 0n : BigInt(hex)
}

function receiver(value: RlpValue | undefined): Hex | null {
  const hex = bytes(value)
  return hex === '0x' ? null : hex
}

function entry(value: RlpValue): AccessListEntry {
  const [address, keys] = itemsOf(value)
  return { address: bytes(address), storageKeys: itemsOf(keys).map((key) => bytes(key) as Hash) }
}

function authorization(value: RlpValue): Authorization {
  const [chainId, address, nonce, yParity, r, s] = itemsOf(value)
  return {
    chainId: integer(chainId),
    address: bytes(address),
    nonce: integer(nonce),
    yParity: integer(yParity),
    r: integer(r),
    s: integer(s),
  }
}

const READ: Readonly<Record<Field, (value: RlpValue | undefined) => unknown>> = {
  chainId: integer,
  nonce: integer,
  gasPrice: integer,
  maxPriorityFeePerGas: integer,
  maxFeePerGas: integer,
  gas: integer,
  to: receiver,
  value: integer,
  input: bytes,
  accessList: (value) => itemsOf(value).map(entry),
  maxFeePerBlobGas: integer,
  blobVersionedHashes: (value) => itemsOf(value).map(bytes),
  authorizationList: (value) => itemsOf(value).map(authorization),
}
