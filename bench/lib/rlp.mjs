/** RLP of honest data: what the engines are fed is prepared without any engine's own code. */

/** @typedef {import('./types.js').RlpItem} RlpItem */

/**
 * @param {RlpItem} item
 * @returns {Uint8Array}
 */
export function encode(item) {
  if (item instanceof Uint8Array) {
    if (item.length === 1 && (item[0] ?? 0) < 0x80) return item
    return concat([head(0x80, item.length), item])
  }
  const body = concat(item.map(encode))
  return concat([head(0xc0, body.length), body])
}

/**
 * @param {number} offset 0x80 for a string, 0xc0 for a list
 * @param {number} length
 */
function head(offset, length) {
  if (length < 56) return Uint8Array.of(offset + length)
  const size = integer(BigInt(length))
  return concat([Uint8Array.of(offset + 55 + size.length), size])
}

/**
 * @param {Uint8Array} bytes
 * @returns {RlpItem}
 */
export function decode(bytes) {
  const { item, end } = decodeAt(bytes, 0)
  if (end !== bytes.length) throw new Error('RLP with trailing bytes')
  return item
}

/**
 * @param {Uint8Array} bytes
 * @param {number} at
 * @returns {{ item: RlpItem, end: number }}
 */
function decodeAt(bytes, at) {
  const prefix = bytes[at] ?? 0
  if (prefix < 0x80) return { item: bytes.subarray(at, at + 1), end: at + 1 }
  const offset = prefix < 0xc0 ? 0x80 : 0xc0
  const isLong = prefix - offset > 55
  const start = at + 1 + (isLong ? prefix - offset - 55 : 0)
  const length = isLong ? Number(number(bytes.subarray(at + 1, start))) : prefix - offset
  const end = start + length
  if (end > bytes.length) throw new Error('RLP cut short')
  if (offset === 0x80) return { item: bytes.subarray(start, end), end }
  const items = []
  for (let next = start; next < end; ) {
    const entry = decodeAt(bytes, next)
    items.push(entry.item)
    next = entry.end
  }
  return { item: items, end }
}

/** @param {RlpItem | undefined} item */
export function list(item) {
  if (item === undefined || item instanceof Uint8Array) throw new Error('expected a list')
  return item
}

/** @param {RlpItem | undefined} item */
export function bytes(item) {
  if (!(item instanceof Uint8Array)) throw new Error('expected bytes')
  return item
}

/** @param {readonly Uint8Array[]} parts */
function concat(parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** @param {string} hex `0x…` */
export function fromHex(hex) {
  return Uint8Array.from(Buffer.from(hex.slice(2), 'hex'))
}

/** @param {Uint8Array} bytes */
export function toHex(bytes) {
  return `0x${Buffer.from(bytes).toString('hex')}`
}

/** @param {string} text */
export function ascii(text) {
  return new TextEncoder().encode(text)
}

/**
 * Minimal big-endian bytes.
 *
 * @param {bigint} value
 */
export function integer(value) {
  if (value === 0n) return new Uint8Array(0)
  const digits = value.toString(16)
  return fromHex(`0x${digits.length % 2 === 1 ? '0' : ''}${digits}`)
}

/** @param {Uint8Array} bytes big-endian */
export function number(bytes) {
  return bytes.length === 0 ? 0n : BigInt(toHex(bytes))
}
