/**
 * As much of the ABI's coding as calls of known functions need. What contracts return is read as a
 * stranger's bytes.
 */

import { bytesOf, concat, type Hex, integerBytes, toHex } from '../encoding/hex.js'
import { leftPad } from '../encoding/input.js'

/** An argument: an integer (or address) of one word, or bytes of any length. */
export type AbiValue = bigint | Uint8Array

const WORD = 32

/** Calldata: the first four bytes of the function's hash, and its arguments. */
export function encodeCall(selector: Hex, values: readonly AbiValue[]): Hex {
  return toHex(concat([bytesOf(selector), encodeValues(values)]))
}

/** Arguments one after another, those without a fixed length behind. */
export function encodeValues(values: readonly AbiValue[]): Uint8Array {
  const tails = values.map((value) => (typeof value === 'bigint' ? NONE : withLength(value)))
  let at = values.length * WORD
  const heads = values.map((value, i) => {
    if (typeof value === 'bigint') return word(value)
    const place = at
    at += tails[i]?.length ?? 0
    return word(BigInt(place))
  })
  return concat([...heads, ...tails])
}

/** 32 bytes of an integer. */
export const word = (value: bigint): Uint8Array => leftPad(integerBytes(value))

const NONE = new Uint8Array(0)

/** Bytes with their length in front, filled up to whole words. */
function withLength(bytes: Uint8Array): Uint8Array {
  const filled = new Uint8Array(Math.ceil(bytes.length / WORD) * WORD)
  filled.set(bytes)
  return concat([word(BigInt(bytes.length)), filled])
}

/** The word at a place; undefined beyond the end. */
function wordAt(data: Uint8Array, at: number): bigint | undefined {
  const bytes = data.subarray(at, at + WORD)
  return bytes.length === WORD ? BigInt(toHex(bytes)) : undefined
}

/** The address in the word at a place; undefined if the word holds more. */
export function addressAt(data: Uint8Array, at: number): Hex | undefined {
  const value = wordAt(data, at)
  if (value === undefined || value >> 160n > 0n) return undefined
  return `0x${value.toString(16).padStart(40, '0')}`
}

/**
 * The bytes to which the word at a place points, from the data's start; undefined if they are not
 * all there.
 */
export function bytesAt(data: Uint8Array, at: number): Uint8Array | undefined {
  const tail = tailAt(data, at)
  const length = tail && sizeAt(tail, 0)
  if (tail === undefined || length === undefined) return undefined
  const bytes = tail.subarray(WORD, WORD + length)
  return bytes.length === length ? bytes : undefined
}

/**
 * The list to which the word at a place points: how many entries it has, and where they are told
 * from.
 */
export function listAt(
  data: Uint8Array,
  at: number,
  most: number,
): { readonly count: number; readonly entries: Uint8Array } | undefined {
  const tail = tailAt(data, at)
  const count = tail && sizeAt(tail, 0)
  if (tail === undefined || count === undefined || count > most) return undefined
  return { count, entries: tail.subarray(WORD) }
}

/** Texts in a list; undefined unless all of them are UTF-8. */
export function textsAt(data: Uint8Array, at: number, most: number): string[] | undefined {
  const list = listAt(data, at, most)
  if (list === undefined) return undefined
  const texts = Array.from({ length: list.count }, (_, i) =>
    textOf(bytesAt(list.entries, WORD * i)),
  )
  return texts.every((text) => text !== undefined) ? texts : undefined
}

/** Decodes UTF-8; undefined if the bytes are not UTF-8. */
export function textOf(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The data from where the word at a place points. */
export function tailAt(data: Uint8Array, at: number): Uint8Array | undefined {
  const place = sizeAt(data, at)
  return place === undefined ? undefined : data.subarray(place)
}

/** A length or a place: no more than there is. */
function sizeAt(data: Uint8Array, at: number): number | undefined {
  const value = wordAt(data, at)
  return value !== undefined && value <= BigInt(data.length) ? Number(value) : undefined
}
