/**
 * Reads RLP that the core has accepted already: it was canonical, so this reader judges nothing.
 */

import { ProofError } from '../result/errors.js'
import { isBytes } from './hex.js'
import type { RlpValue } from './rlp.js'

/**
 * Lists in lists: a node inside a node takes three bytes more and is below 32 bytes, a proof's own
 * lists are four.
 */
const MAX_DEPTH = 16

/**
 * The value of verified RLP.
 *
 * @throws {@link ProofError} `decode.rlp` if the bytes are not RLP, or lists are nested deeper than
 *   any that is read here.
 */
export function readRlp(bytes: Uint8Array): RlpValue {
  const { value, end } = readItem(bytes, 0, 0)
  if (end !== bytes.length) throw damaged()
  return value
}

/** The items of a list. */
export function itemsOf(value: RlpValue | undefined): readonly RlpValue[] {
  if (value === undefined || isBytes(value)) throw damaged()
  return value
}

/** The bytes of a string. */
export function stringOf(value: RlpValue | undefined): Uint8Array {
  if (!isBytes(value)) throw damaged()
  return value
}

function damaged(): ProofError {
  return new ProofError('decode.rlp', 'expected canonical RLP of the documented form')
}

function readItem(bytes: Uint8Array, at: number, depth: number): { value: RlpValue; end: number } {
  const prefix = bytes[at]
  if (prefix === undefined) throw damaged()
  if (prefix < 0x80) return { value: bytes.subarray(at, at + 1), end: at + 1 }
  const isList = prefix >= 0xc0
  const short = prefix - (isList ? 0xc0 : 0x80)
  const width = Math.max(0, short - 55)
  let length = short
  if (width > 0) {
    length = bytes.subarray(at + 1, at + 1 + width).reduce((sum, byte) => sum * 256 + byte, 0)
  }
  const start = at + 1 + width
  const end = start + length
  if (end > bytes.length || depth > MAX_DEPTH) throw damaged()
  if (!isList) return { value: bytes.subarray(start, end), end }
  const items: RlpValue[] = []
  for (let next = start; next < end; ) {
    const item = readItem(bytes.subarray(0, end), next, depth + 1)
    items.push(item.value)
    next = item.end
  }
  return { value: items, end }
}
