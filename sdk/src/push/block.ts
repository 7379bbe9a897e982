/** Blocks as an application writes them down, and as they travel. */

import { fromHex, fromQuantity, type Hex, toQuantity } from '../encoding/hex.js'
import { parseOptions, shown } from '../encoding/input.js'
import { InputError, type InputErrorCode } from '../result/errors.js'

/** A non-negative integer. */
export type Integer = bigint | number

/** 32 bytes: an integer, or hex of at most 32 bytes. */
export type WordLike = Integer | string

/** New fields of an account, or its end. */
export type PushAccount =
  | {
      readonly address: string
      readonly nonce: Integer
      /** In wei, below 2^256. */
      readonly balance: Integer
      /** New code; `0x` takes it away. Left out, the code stays. */
      readonly code?: string
    }
  | {
      readonly address: string
      /** The account ceases to exist. Its slots must be cleared by then. */
      readonly deleted: true
    }

/** A new value of a slot; 0 clears it. */
export interface PushSlot {
  readonly address: string
  readonly slot: WordLike
  readonly value: WordLike
}

/** A block to push. At most 100,000 accounts and slots together, each at most once. */
export interface PushBlock {
  /** One more than the newest block's. */
  readonly number: Integer
  /**
   * Seconds since 1970: not below the block before, and at most 10 s ahead of the node's clock.
   */
  readonly timestamp: Integer
  readonly accounts?: readonly PushAccount[]
  readonly slots?: readonly PushSlot[]
}

/** The parameter of `lp_pushBlock`. */
export interface WireBlock {
  readonly number: Hex
  readonly timestamp: Hex
  readonly accounts: readonly object[]
  readonly slots: readonly object[]
}

/**
 * The block as it travels.
 *
 * @throws {@link InputError} that names what is wrong.
 */
export function encodeBlock(block: PushBlock): WireBlock {
  const given = parseOptions(block, 'block', ['number', 'timestamp', 'accounts', 'slots'])
  return {
    number: quantity(given.number, 'number', 64n),
    timestamp: quantity(given.timestamp, 'timestamp', 64n),
    accounts: list(given.accounts, 'accounts').map(encodeAccount),
    slots: list(given.slots, 'slots').map(encodeSlot),
  }
}

function encodeAccount(value: unknown): object {
  const keys = ['address', 'nonce', 'balance', 'code', 'deleted'] as const
  const account = parseOptions(value, 'accounts', keys)
  const address = parseAddress(account.address)
  if (account.deleted === true) {
    const others = [account.nonce, account.balance, account.code]
    if (others.some((other) => other !== undefined)) {
      throw new InputError(
        'input.option',
        'accounts',
        `${address}: a deleted account takes no nonce, balance or code`,
      )
    }
    return { address, deleted: true }
  }
  const nonce = quantity(account.nonce, 'nonce', 64n)
  const balance = quantity(account.balance, 'balance', 256n)
  if (account.code === undefined) return { address, nonce, balance }
  const { code } = account
  if (typeof code !== 'string' || fromHex(code) === undefined) {
    throw expected('input.option', 'code', 'hex bytes with 0x', code)
  }
  return { address, nonce, balance, code }
}

function encodeSlot(value: unknown): object {
  const slot = parseOptions(value, 'slots', ['address', 'slot', 'value'])
  return {
    address: parseAddress(slot.address),
    slot: word(slot.slot, 'slot', 'input.slot'),
    value: word(slot.value, 'value', 'input.option'),
  }
}

function list(value: unknown, argument: string): readonly unknown[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw expected('input.option', argument, 'a list', value)
  return value
}

function parseAddress(value: unknown): string {
  const isAddress = typeof value === 'string' && fromHex(value)?.length === 20
  if (!isAddress) throw expected('input.address', 'address', '20 bytes of hex with 0x', value)
  return value.toLowerCase()
}

function quantity(value: unknown, argument: string, bits: bigint): Hex {
  const isInteger = typeof value === 'bigint' || Number.isSafeInteger(value)
  const integer = isInteger ? BigInt(value as bigint | number) : -1n
  if (integer < 0n || integer >> bits !== 0n) {
    throw expected('input.option', argument, `an integer from 0 to 2^${bits} - 1`, value)
  }
  return toQuantity(integer)
}

function word(value: unknown, argument: string, code: InputErrorCode): string {
  const integer = typeof value === 'string' ? fromQuantity(value) : value
  try {
    return `0x${quantity(integer, argument, 256n).slice(2).padStart(64, '0')}`
  } catch {
    throw expected(code, argument, 'an integer below 2^256, or hex of at most 32 bytes', value)
  }
}

function expected(
  code: InputErrorCode,
  argument: string,
  wanted: string,
  got: unknown,
): InputError {
  return new InputError(code, argument, `expected ${wanted}, got ${shown(got)}`)
}
