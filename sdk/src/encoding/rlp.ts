import { concat } from './hex.js'

/** What RLP can hold: byte strings and lists of such values. */
export type RlpValue = Uint8Array | readonly RlpValue[]

const NOTHING = new Uint8Array(0)
/** Longer payloads have their length in front. */
const SHORT = 55

/** Canonical RLP. The core does all decoding, so there is no decoder here. */
export function encodeRlp(value: RlpValue): Uint8Array {
  const parts: Uint8Array[] = []
  collect(value, parts)
  return concat(parts)
}

/** Adds the parts of a value, its prefix first, and returns how many bytes they have. */
function collect(value: RlpValue, parts: Uint8Array[]): number {
  if (!isList(value)) {
    const { length } = value
    const isSelf = length === 1 && (value[0] ?? 0) < 0x80
    const prefix = isSelf ? NOTHING : prefixOf(0x80, length)
    parts.push(prefix, value)
    return prefix.length + length
  }
  // Its prefix is known once its items are.
  const place = parts.push(NOTHING) - 1
  let length = 0
  for (const item of value) length += collect(item, parts)
  const prefix = prefixOf(0xc0, length)
  parts[place] = prefix
  return prefix.length + length
}

function prefixOf(base: number, length: number): Uint8Array {
  const bytes: number[] = []
  // 32 bits are enough: the core's memory holds no more.
  for (let rest = length > SHORT ? length : 0; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff)
  return Uint8Array.of(base + (bytes.length > 0 ? SHORT + bytes.length : length), ...bytes)
}

/** Cheaper than to ask for bytes, which may be another realm's. */
function isList(value: RlpValue): value is readonly RlpValue[] {
  return Array.isArray(value)
}

/** The bytes of an ASCII name in an RLP list. */
export function name(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}
