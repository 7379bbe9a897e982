import { concat } from './hex.js'

/** What RLP can hold: byte strings and lists of such values. */
export type RlpValue = Uint8Array | readonly RlpValue[]

/** Canonical RLP. The core does all decoding, so there is no decoder here. */
export function encodeRlp(value: RlpValue): Uint8Array {
  if (isList(value)) return withPrefix(0xc0, value.map(encodeRlp))
  const isSelf = value.length === 1 && (value[0] ?? 0) < 0x80
  return isSelf ? value : withPrefix(0x80, [value])
}

/** Cheaper than to ask for bytes, which may be another realm's. */
function isList(value: RlpValue): value is readonly RlpValue[] {
  return Array.isArray(value)
}

/** The parts as one payload. */
function withPrefix(base: number, parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const prefix: number[] = []
  if (length < 56) prefix.push(base + length)
  else {
    // 32 bits are enough: the core's memory holds no more.
    for (let rest = length; rest > 0; rest >>>= 8) prefix.unshift(rest & 0xff)
    prefix.unshift(base + 55 + prefix.length)
  }
  return concat(parts, prefix)
}

/** The bytes of an ASCII name in an RLP list. */
export function name(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}
