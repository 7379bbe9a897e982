/** Where tokens keep balances: the places that compilers and libraries choose. */

import { bytesOf, type Hex, integerBytes, toHex } from '../encoding/hex.js'
import { type Address, isRecord, leftPad, shown } from '../encoding/input.js'
import { InputError } from '../result/errors.js'
import type { HashModule } from '../wasm/module.js'
import type { TokenCode } from './erc20Token.js'

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
  /**
   * How many of the slot's low bits are the balance; flags may be packed above. Left out, nobody knows: a slot with more
   * than 96 bits is not read then.
   */
  readonly bits?: number
  /** At most so many bits may be the balance. Default `bits`; a slot with bits between the two is not read. */
  readonly widest?: number
  /** The code that the token ran when the layout was found. A token that runs another is not read. */
  readonly code?: TokenCode
}

/** Widths of balances that share their slot with flags (USDC: 255). Supplies of most tokens fit into the narrowest. */
export const WIDTHS = [96, 112, 128, 160, 192, 208, 224, 240, 248, 255, 256] as const
const [NARROWEST] = WIDTHS

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

/** The fewest and the most bits that may be the balance. */
export function widthsOf({ bits, widest }: BalanceLayout): readonly [number, number] {
  return [bits ?? NARROWEST, widest ?? bits ?? 256]
}

/** The balance in a slot's value; undefined if flags and balance cannot be told apart. */
export function balanceIn(layout: BalanceLayout, value: bigint): bigint | undefined {
  const [low, high] = widthsOf(layout).map((bits) => BigInt.asUintN(bits, value))
  return low === high ? low : undefined
}

/**
 * Parses a layout.
 *
 * @throws InputError `input.option`
 */
export function parseLayout(value: unknown): BalanceLayout | undefined {
  if (value === undefined) return undefined
  const { kind, position, bits, widest, code } = isRecord(value) ? value : {}
  const isKind = kind === 'solidity' || kind === 'vyper' || kind === 'solady'
  const isPosition = typeof position === 'bigint' && position >= 0n && position < 1n << 256n
  if (isKind && isPosition && isWidth(bits) && isWidth(widest) && isCode(code)) {
    const widths = { ...(bits && { bits }), ...(widest && { widest }) }
    return { kind, position, ...widths, ...(code && { code }) }
  }
  const wanted =
    '{ kind: "solidity", "vyper" or "solady", position: bigint, bits?: 1 to 256, widest?, code? }'
  throw new InputError('input.option', 'layout', `expected ${wanted}, got ${shown(value)}`)
}

function isWidth(bits: unknown): bits is number | undefined {
  if (bits === undefined) return true
  return typeof bits === 'number' && Number.isInteger(bits) && bits >= 1 && bits <= 256
}

function isCode(code: unknown): code is TokenCode | undefined {
  if (code === undefined) return true
  const { codeHash, implementations } = isRecord(code) ? code : {}
  return (
    typeof codeHash === 'string' &&
    Array.isArray(implementations) &&
    implementations.every((slot) => typeof slot === 'bigint')
  )
}
