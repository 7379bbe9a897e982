/** What the caller puts in place of proven state: the result says so. */

import { bytesOf, fromHex, type Hex, integerBytes } from '../encoding/hex.js'
import {
  isRecord,
  parseAddress,
  parseHash,
  parseOptions,
  parseSlot,
  shown,
} from '../encoding/input.js'
import type { RlpValue } from '../encoding/rlp.js'
import { InputError } from '../result/errors.js'
import type { HashModule } from '../wasm/module.js'

/** An account as the caller wants it; what is left out stays as it is proven. */
export interface AccountOverride {
  /** In wei. */
  readonly balance?: bigint
  readonly nonce?: bigint
  /** `0x` and hex. */
  readonly code?: string
  /** All of its storage: other slots are empty. */
  readonly state?: SlotsOverride
  /** Some of its slots. */
  readonly stateDiff?: SlotsOverride
}

/** Values by slot: 32 bytes in hex. */
export type SlotsOverride = Readonly<Record<string, bigint | string>>

/** Accounts by address. */
export type StateOverride = Readonly<Record<string, AccountOverride>>

/** The block's fields as the caller wants them. */
export interface BlockOverride {
  readonly number?: bigint
  /** Seconds since 1970. */
  readonly time?: bigint
  readonly gasLimit?: bigint
  /** Who is paid for the block. */
  readonly feeRecipient?: string
  /** 32 bytes in hex. */
  readonly prevRandao?: string
  readonly baseFeePerGas?: bigint
  readonly blobBaseFee?: bigint
}

/** Names of the parameters. */
export const OVERRIDES = ['stateOverride', 'blockOverride'] as const

/** As the module takes them. */
export interface Overrides {
  readonly rlp: RlpValue
  /** Is anything put in place? */
  readonly areGiven: boolean
}

/**
 * Overrides of state and block.
 *
 * @throws InputError naming the field.
 */
export function parseOverrides(
  given: { readonly [key in (typeof OVERRIDES)[number]]?: unknown },
  hash: HashModule,
): Overrides {
  const { stateOverride = {}, blockOverride = {} } = given
  if (!isRecord(stateOverride)) throw malformed('stateOverride', 'an object', stateOverride)
  const accounts = Object.entries(stateOverride).map(([address, account]) => {
    const at = `stateOverride.${address}`
    return [bytesOf(parseAddress(address, at, hash)), ...parseAccount(account, at)]
  })
  const block = parseBlockFields(blockOverride, hash)
  const areGiven = accounts.length > 0 || block.some((field) => field.length > 0)
  return { rlp: [accounts, block], areGiven }
}

function parseAccount(value: unknown, at: string): RlpValue[] {
  const known = ['balance', 'nonce', 'code', 'state', 'stateDiff'] as const
  const { balance, nonce, code, state, stateDiff } = parseOptions(value, at, known)
  const bytes = fromHex(code)
  if (code !== undefined && bytes === undefined) throw malformed(`${at}.code`, 'hex', code)
  if (state !== undefined && stateDiff !== undefined) {
    throw malformed(at, 'state or stateDiff', 'both')
  }
  return [
    amount(balance, `${at}.balance`, 256n),
    amount(nonce, `${at}.nonce`, 64n),
    bytes === undefined ? [] : [bytes],
    state === undefined ? [] : [parseSlots(state, `${at}.state`)],
    stateDiff === undefined ? [] : parseSlots(stateDiff, `${at}.stateDiff`),
  ]
}

function parseSlots(value: unknown, at: string): RlpValue[] {
  if (!isRecord(value)) throw malformed(at, 'an object', value)
  return Object.entries(value).map(([slot, content]) => {
    const number =
      typeof content === 'bigint' ? content : BigInt(parseSlot(content, `${at}.${slot}`))
    const [bytes = new Uint8Array(0)] = amount(number, `${at}.${slot}`, 256n)
    return [bytesOf(parseSlot(slot, at)), bytes]
  })
}

function parseBlockFields(value: unknown, hash: HashModule): Uint8Array[][] {
  const known = [
    'number',
    'time',
    'gasLimit',
    'feeRecipient',
    'prevRandao',
    'baseFeePerGas',
    'blobBaseFee',
  ] as const
  const given = parseOptions(value, 'blockOverride', known)
  const { feeRecipient: payee, prevRandao: random } = given
  const at = (name: string): string => `blockOverride.${name}`
  const word = (hex: Hex): Uint8Array[] => [bytesOf(hex)]
  return [
    amount(given.number, at('number'), 64n),
    amount(given.time, at('time'), 64n),
    amount(given.gasLimit, at('gasLimit'), 64n),
    payee === undefined ? [] : word(parseAddress(payee, at('feeRecipient'), hash)),
    random === undefined ? [] : word(parseHash(random, at('prevRandao'), 'input.option')),
    amount(given.baseFeePerGas, at('baseFeePerGas'), 64n),
    amount(given.blobBaseFee, at('blobBaseFee'), 128n),
  ]
}

/** A list of the integer, or none if it was not given. */
function amount(value: unknown, argument: string, bits: bigint): Uint8Array[] {
  if (value === undefined) return []
  if (typeof value === 'bigint' && value >= 0n && value < 1n << bits) return [integerBytes(value)]
  throw malformed(argument, `an integer from 0n to 2^${bits} - 1`, value)
}

function malformed(argument: string, expected: string, got: unknown): InputError {
  return new InputError('input.option', argument, `expected ${expected}, got ${shown(got)}`)
}
