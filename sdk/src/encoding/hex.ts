import { InputError } from '../errors.js'

/** `0x` and lower-case hexadecimal digits. */
export type Hex = `0x${string}`

const DIGITS = '0123456789abcdef'

/** Lower-case hex of the bytes, with `0x`. */
export function toHex(bytes: Uint8Array): Hex {
  let text = ''
  for (const byte of bytes) text += DIGITS.charAt(byte >> 4) + DIGITS.charAt(byte & 15)
  return `0x${text}`
}

/** A quantity of JSON-RPC: `0x0`, `0x2a`; no leading zeros. */
export function toQuantity(value: bigint): Hex {
  return `0x${value.toString(16)}`
}

/** The bytes of hex text with `0x` and an even number of digits; undefined if it is anything else. */
export function fromHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !text.startsWith('0x')) return undefined
  const bytes = new Uint8Array(text.length / 2 - 1)
  for (let i = 0; i < bytes.length; i++) {
    const high = digit(text.charCodeAt(2 * i + 2))
    const low = digit(text.charCodeAt(2 * i + 3))
    if (high === undefined || low === undefined) return undefined
    bytes[i] = high * 16 + low
  }
  return bytes
}

/**
 * The bytes of hex that a parser or the core made.
 *
 * @throws InputError `input.request` if it is none after all.
 */
export function bytesOf(hex: Hex): Uint8Array {
  const bytes = fromHex(hex)
  if (bytes === undefined) throw new InputError('input.request', 'hex', 'odd or foreign digits')
  return bytes
}

function digit(code: number): number | undefined {
  if (code >= 48 && code <= 57) return code - 48
  // Folds A-F onto a-f; no other character lands there.
  const folded = code | 32
  return folded >= 97 && folded <= 102 ? folded - 87 : undefined
}

/** Minimal big-endian bytes; none for zero. RLP and the core want integers so. */
export function integerBytes(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array(0)
  const digits = value.toString(16)
  return fromHex(`0x${digits.length % 2 === 0 ? '' : '0'}${digits}`) ?? new Uint8Array(0)
}

/** Are the two byte strings the same? */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
