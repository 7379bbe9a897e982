/** Where tokens keep balances: the places that compilers and libraries choose. */

import { bytesOf, type Hex, integerBytes, toHex } from '../encoding/hex.js'
import { type Address, isRecord, leftPad, shown } from '../encoding/input.js'
import { InputError } from '../errors.js'
import type { HashModule } from '../wasm/module.js'

/**
 * Where a token keeps the balance of an owner.
 *
 * - `solidity`: `mapping(address => uint256)` at `position`: keccak(owner ‖ position), both of 32 bytes.
 * - `vyper`: `HashMap[address, uint256]` at `position`: keccak(position ‖ owner).
 * - `solady`: Solady's ERC20: keccak(owner ‖ seed), of 20 and 12 bytes; `position` is the seed.
 */
export interface BalanceLayout {
  readonly kind: 'solidity' | 'vyper' | 'solady'
  readonly position: bigint
  /** How many of the slot's low bits are the balance; flags may be packed above. Default 256. */
  readonly bits?: number
}

/** OpenZeppelin 5 upgradeable tokens: ERC-7201 namespace `openzeppelin.storage.ERC20`, balances first. */
const OPENZEPPELIN_5 = 0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n
/** `_BALANCE_SLOT_SEED` of Solady. */
const SOLADY = 0x87a211a2n

/** All places to look at, if mappings stand at positions below `positions`. */
export function candidates(positions: number): BalanceLayout[] {
  const numbered = Array.from({ length: positions }, (_, i) => BigInt(i))
  return [
    ...[...numbered, OPENZEPPELIN_5].map((position) => ({ kind: 'solidity', position }) as const),
    ...numbered.map((position) => ({ kind: 'vyper', position }) as const),
    { kind: 'solady', position: SOLADY },
  ]
}

/** The storage slot that holds an owner's balance. */
export function slotOf(layout: BalanceLayout, owner: Address, { keccak256 }: HashModule): Hex {
  const { kind, position } = layout
  const address = bytesOf(owner)
  const place = leftPad(integerBytes(position))
  if (kind === 'solady') return toHex(keccak256(Uint8Array.of(...address, ...place.subarray(20))))
  const key = leftPad(address)
  const parts = kind === 'solidity' ? [key, place] : [place, key]
  return toHex(keccak256(Uint8Array.of(...parts.flatMap((part) => [...part]))))
}

/** The balance in a slot's value. */
export function balanceIn({ bits = 256 }: BalanceLayout, value: bigint): bigint {
  return BigInt.asUintN(bits, value)
}

/**
 * Parses a layout.
 *
 * @throws InputError `input.option`
 */
export function parseLayout(value: unknown): BalanceLayout | undefined {
  if (value === undefined) return undefined
  const { kind, position, bits = 256 } = isRecord(value) ? value : {}
  const isKind = kind === 'solidity' || kind === 'vyper' || kind === 'solady'
  const isPosition = typeof position === 'bigint' && position >= 0n && position < 1n << 256n
  const isBits = typeof bits === 'number' && Number.isInteger(bits) && bits >= 1 && bits <= 256
  if (isKind && isPosition && isBits) return { kind, position, bits }
  const wanted = '{ kind: "solidity", "vyper" or "solady", position: bigint, bits?: 1 to 256 }'
  throw new InputError('input.option', 'layout', `expected ${wanted}, got ${shown(value)}`)
}
