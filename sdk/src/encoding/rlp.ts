/** What RLP can hold: byte strings and lists of such values. */
export type RlpValue = Uint8Array | readonly RlpValue[]

/** Canonical RLP. The core does all decoding, so there is no decoder here. */
export function encodeRlp(value: RlpValue): Uint8Array {
  const bytes = new Uint8Array(sizeOf(value))
  write(value, bytes, 0)
  return bytes
}

/** Longer payloads have their length in front. */
const SHORT = 55

/** Bytes of a value with its prefix. */
function sizeOf(value: RlpValue): number {
  const length = payloadOf(value)
  if (isSelf(value)) return 1
  return 1 + length + (length > SHORT ? bytesOfLength(length) : 0)
}

function payloadOf(value: RlpValue): number {
  if (!isList(value)) return value.length
  let sum = 0
  for (const item of value) sum += sizeOf(item)
  return sum
}

/** 32 bits are enough: the core's memory holds no more. */
function bytesOfLength(length: number): number {
  return 4 - (Math.clz32(length) >> 3)
}

/** Writes a value from a place on, and returns the place after it. */
function write(value: RlpValue, to: Uint8Array, from: number): number {
  let at = from
  if (!isSelf(value)) {
    const length = payloadOf(value)
    const base = isList(value) ? 0xc0 : 0x80
    if (length <= SHORT) to[at++] = base + length
    else {
      const count = bytesOfLength(length)
      to[at++] = base + SHORT + count
      for (let shift = 8 * count - 8; shift >= 0; shift -= 8) to[at++] = length >>> shift
    }
  }
  if (!isList(value)) {
    to.set(value, at)
    return at + value.length
  }
  for (const item of value) at = write(item, to, at)
  return at
}

/** A byte that stands for itself. */
function isSelf(value: RlpValue): boolean {
  return value.length === 1 && !isList(value) && (value[0] ?? 0) < 0x80
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
