import { InputError } from '../result/errors.js'

/** `0x` and lower-case hexadecimal digits. */
export type Hex = `0x${string}`

// Proofs are hex on their way in and out, and reading it costs as much as the proof's check: hence
// tables.
const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const NO_DIGIT = 0xff
const DIGITS = new Uint8Array(128).fill(NO_DIGIT)
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16)
  DIGITS[digit.charCodeAt(0)] = value
  DIGITS[digit.toUpperCase().charCodeAt(0)] = value
}

/**
 * Is it a `Uint8Array`? Where a test runs with jsdom, `TextEncoder`, IndexedDB and the code itself
 * have one each, so `instanceof` would not tell.
 */
export function isBytes(value: unknown): value is Uint8Array {
  return Object.prototype.toString.call(value) === '[object Uint8Array]'
}

/** Lower-case hex of the bytes, with `0x`. */
export function toHex(bytes: Uint8Array): Hex {
  let text = ''
  for (const byte of bytes) text += PAIRS[byte]
  return `0x${text}`
}

/** A quantity of JSON-RPC: `0x0`, `0x2a`; no leading zeros. */
export function toQuantity(value: bigint): Hex {
  return `0x${value.toString(16)}`
}

/** An integer below 2^256, whatever zeros it has in front; undefined if it is anything else. */
export function fromQuantity(value: unknown): bigint | undefined {
  const isQuantity = typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)
  return isQuantity ? BigInt(value) : undefined
}

/** Node.js reads long hex in a third of the time. */
const { Buffer } = globalThis as {
  readonly Buffer?: {
    from(memory: ArrayBufferLike): {
      readonly buffer: ArrayBufferLike
      write(text: string, as: 'hex'): number
    }
    byteLength(text: string): number
  }
}
const LONG = 256

/**
 * The bytes of hex text with `0x` and an even number of digits; undefined if it is anything else.
 */
export function fromHex(text: unknown): Uint8Array | undefined {
  if (typeof text !== 'string' || text.length % 2 !== 0 || !text.startsWith('0x')) return undefined
  const bytes = new Uint8Array(text.length / 2 - 1)
  const buffer = text.length > LONG ? Buffer?.from(bytes.buffer) : undefined
  // What stands in for Node.js's Buffer on pages takes `1g` for 1.
  if (buffer?.buffer === bytes.buffer && buffer.write('1g', 'hex') === 0) {
    const digits = text.slice(2)
    // Node.js takes U+0130 for a zero.
    const isAscii = Buffer?.byteLength(digits) === digits.length
    return isAscii && buffer.write(digits, 'hex') === bytes.length ? bytes : undefined
  }
  for (let i = 0; i < bytes.length; i++) {
    const high = DIGITS[text.charCodeAt(2 * i + 2)] ?? NO_DIGIT
    const low = DIGITS[text.charCodeAt(2 * i + 3)] ?? NO_DIGIT
    if ((high | low) > 15) return undefined
    bytes[i] = high * 16 + low
  }
  return bytes
}

/**
 * The bytes of hex that a parser or the core made.
 *
 * @throws InputError `input.request` if the text is not hex.
 */
export function bytesOf(hex: Hex): Uint8Array {
  const bytes = fromHex(hex)
  if (bytes === undefined)
    throw new InputError('input.request', 'hex', 'expected 0x and an even number of hex digits')
  return bytes
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

/** Byte strings, one after another. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  let at = 0
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
