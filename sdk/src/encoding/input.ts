/**
 * Parsers of the caller's arguments: everything that is not of its form is an {@link InputError}
 * that names it.
 */

import { InputError, type InputErrorCode } from '../result/errors.js'
import type { HashModule } from '../wasm/module.js'
import { fromHex, fromQuantity, type Hex, integerBytes, toHex } from './hex.js'
import { printable } from './printable.js'

declare const brand: unique symbol

/** A 20-byte address in lower-case hex. Parsers alone make one. */
export type Address = Hex & { readonly [brand]: 'Address' }

/** A 32-byte hash in lower-case hex, from a parser or the verifier. */
export type Hash = Hex & { readonly [brand]: 'Hash' }

/** A storage slot: its number, or hex of at most 32 bytes. */
export type SlotLike = bigint | number | string

/**
 * What an argument was, shortened, for a message. Of a stranger's object no text may be made: its
 * methods are theirs.
 */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (isRecord(value)) return 'an object'
  return printable(typeof value === 'string' ? `"${value}"` : String(value), 80)
}

/** The error for an argument that is not what was expected. */
export function unexpected(
  code: InputErrorCode,
  argument: string,
  wanted: string,
  value: unknown,
): InputError {
  return new InputError(code, argument, `expected ${wanted}, got ${shown(value)}`)
}

/** Is the value an object with string keys? */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The options object, if it has no key but the known ones: a misspelt option must not fall back to
 * a default.
 *
 * @throws {@link InputError} naming the argument or its unknown key.
 */
export function parseOptions<K extends string>(
  value: unknown,
  argument: string,
  known: readonly K[],
): { readonly [key in K]?: unknown } {
  if (!isRecord(value)) {
    throw unexpected('input.option', argument, 'an object', value)
  }
  const names: readonly string[] = known
  for (const key of Object.keys(value)) {
    if (names.includes(key)) continue
    throw new InputError('input.option', key, `unknown in ${argument}; known: ${known.join(', ')}`)
  }
  // Sound: every key was just compared with the known ones, and every value stays unknown.
  return value as { readonly [key in K]?: unknown }
}

/** A 32-byte hash with `0x`, in any case. */
export function parseHash(value: unknown, argument: string, code: InputErrorCode): Hash {
  const bytes = fromHex(value)
  if (bytes?.length === 32) return toHex(bytes) as Hash
  throw unexpected(code, argument, '0x and 64 hex digits', value)
}

interface IntegerBounds {
  readonly min: number
  readonly max: number
  readonly fallback?: number
  readonly code?: InputErrorCode
}

/** An integer within bounds; `fallback`, where there is one, if it was not given. */
export function parseInteger(
  value: unknown,
  argument: string,
  { min, max, fallback, code = 'input.option' }: IntegerBounds,
): number {
  if (value === undefined && fallback !== undefined) return fallback
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) {
    return value
  }
  throw unexpected(code, argument, `an integer from ${min} to ${max}`, value)
}

/** A length of time. */
export function parseSeconds(value: unknown, argument: string): number {
  if (typeof value === 'number' && value > 0) return value
  throw unexpected('input.option', argument, 'a positive number of seconds or Infinity', value)
}

/**
 * An address: `0x` and 40 hex digits. Mixed case carries an EIP-55 checksum, which must be right;
 * all-lower and all-upper carry none.
 */
export function parseAddress(value: unknown, argument: string, hash: HashModule): Address {
  const bytes = fromHex(value)
  if (typeof value !== 'string' || bytes?.length !== 20) {
    throw unexpected('input.address', argument, '0x and 40 hex digits', value)
  }
  const digits = value.slice(2)
  const lower = digits.toLowerCase()
  if (digits !== lower && digits !== digits.toUpperCase()) {
    const expected = checksummed(lower, hash)
    if (expected !== digits) {
      const problem = `wrong EIP-55 checksum in ${value}: check its letters and their case`
      throw new InputError('input.checksum', argument, problem)
    }
  }
  return toHex(bytes) as Address
}

function checksummed(lower: string, hash: HashModule): string {
  const digest = toHex(hash.keccak256(new TextEncoder().encode(lower))).slice(2)
  return lower.replace(/[a-f]/g, (letter, at: number) =>
    Number.parseInt(digest.charAt(at), 16) >= 8 ? letter.toUpperCase() : letter,
  )
}

/** A storage slot as 32 bytes: some nodes refuse shorter ones. */
export function parseSlot(value: unknown, argument: string): Hex {
  const number = slotNumber(value)
  if (number !== undefined && number >= 0n && number < 1n << 256n) {
    return toHex(leftPad(integerBytes(number)))
  }
  throw unexpected(
    'input.slot',
    argument,
    'a non-negative integer below 2^256 or 0x and at most 64 hex digits',
    value,
  )
}

function slotNumber(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  return fromQuantity(value)
}

/** The bytes with zeros in front, 32 in all. */
export function leftPad(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(32)
  padded.set(bytes, 32 - bytes.length)
  return padded
}

/**
 * Milliseconds since 1970 of a Date, or of text as Dates print it in JSON.
 *
 * @throws {@link InputError}
 */
export function parseTime(value: unknown, argument: string): number {
  const time = value instanceof Date ? value.getTime() : timeOf(value)
  if (Number.isFinite(time)) return time
  throw unexpected('input.option', argument, 'a Date or text such as 2026-01-31T12:00:00Z', value)
}

/** NaN if it is no time: without a zone it would be another one in every reader's place. */
export function timeOf(value: unknown): number {
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/
  return typeof value === 'string' && form.test(value) ? Date.parse(value) : Number.NaN
}
