import { isBytes } from './hex.js'

/** What RLP can hold: byte strings and lists of such values. */
export type RlpValue = Uint8Array | readonly RlpValue[]

/** Canonical RLP. The core does all decoding, so there is no decoder here. */
export function encodeRlp(value: RlpValue): Uint8Array {
  const out = new Uint8Array(encodedLength(value))
  write(value, out, 0)
  return out
}

function payloadLength(value: RlpValue): number {
  if (isBytes(value)) return value.length
  return value.reduce((sum, item) => sum + encodedLength(item), 0)
}

function isSingleByte(value: RlpValue): boolean {
  return isBytes(value) && value.length === 1 && (value[0] ?? 0) < 0x80
}

function encodedLength(value: RlpValue): number {
  if (isSingleByte(value)) return 1
  const length = payloadLength(value)
  return (length < 56 ? 1 : 1 + lengthOfLength(length)) + length
}

function lengthOfLength(length: number): number {
  let bytes = 0
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes++
  return bytes
}

function write(value: RlpValue, out: Uint8Array, start: number): number {
  const isString = isBytes(value)
  let at = start
  if (!isSingleByte(value)) at = writePrefix(payloadLength(value), isString ? 0x80 : 0xc0, out, at)
  if (isString) {
    out.set(value, at)
    return at + value.length
  }
  for (const item of value) at = write(item, out, at)
  return at
}

function writePrefix(length: number, base: number, out: Uint8Array, at: number): number {
  if (length < 56) {
    out[at] = base + length
    return at + 1
  }
  const width = lengthOfLength(length)
  out[at] = base + 55 + width
  for (let i = 0, rest = length; i < width; i++, rest = Math.floor(rest / 256)) {
    out[at + width - i] = rest % 256
  }
  return at + 1 + width
}

/** The bytes of an ASCII name in an RLP list. */
export function name(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0))
}
