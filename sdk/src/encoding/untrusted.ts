/**
 * Parsers of a node's JSON: `unknown` in, exact types out, {@link ProofError} `decode.response`
 * naming the field.
 */

import { ProofError } from '../result/errors.js'
import { fromHex, fromQuantity, toHex } from './hex.js'
import { type Hash, isRecord } from './input.js'

/** The error for a field that is not of its form. */
export function malformed(field: string, expected: string): ProofError {
  return new ProofError('decode.response', `${field}: expected ${expected}`)
}

/** An object. */
export function asRecord(value: unknown, field: string): Record<string, unknown> {
  if (isRecord(value)) return value
  throw malformed(field, 'an object')
}

/** A list. */
export function asList(value: unknown, field: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw malformed(field, 'a list')
}

/** Bytes as hex with `0x`; of the given length, if any. */
export function asBytes(value: unknown, field: string, length?: number): Uint8Array {
  const bytes = fromHex(value)
  if (bytes !== undefined && (length === undefined || bytes.length === length)) return bytes
  throw malformed(field, `hex of ${length === undefined ? 'whole' : length} bytes`)
}

/** A 32-byte hash. */
export function asHash(value: unknown, field: string): Hash {
  return toHex(asBytes(value, field, 32)) as Hash
}

/**
 * An integer below 2^256 as hex. Leading zeros are let through (some nodes pad storage values);
 * JSON numbers are not, since they are floating point.
 */
export function asInteger(value: unknown, field: string): bigint {
  const integer = fromQuantity(value)
  if (integer !== undefined) return integer
  throw malformed(field, '0x and 1 to 64 hex digits')
}
