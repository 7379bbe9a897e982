/** SSZ of a beacon node's JSON. Encoding only: the core does all decoding. */

import { concat } from '../encoding/hex.js'
import { asBytes, asList, asRecord, malformed } from '../encoding/untrusted.js'

/** A type of SSZ, as far as light clients need it. */
export type SszType =
  | { readonly kind: 'uint'; readonly bytes: 8 | 32 }
  | { readonly kind: 'bytes'; readonly length: number }
  | { readonly kind: 'byteList'; readonly limit: number }
  | { readonly kind: 'hashes'; readonly length: number }
  | { readonly kind: 'keys'; readonly length: number }
  | { readonly kind: 'container'; readonly fields: readonly SszField[] }

/** A field of a container, by its name in the JSON. */
export type SszField = readonly [name: string, type: SszType]

const OFFSET = 4

/**
 * The SSZ of a JSON value.
 *
 * @throws ProofError `decode.response` naming the field that is missing or not of its form.
 */
export function encodeSsz(type: SszType, json: unknown, field: string): Uint8Array {
  switch (type.kind) {
    case 'uint':
      return littleEndian(json, field, type.bytes)
    case 'bytes':
      return asBytes(json, field, type.length)
    case 'byteList': {
      const bytes = asBytes(json, field)
      if (bytes.length > type.limit) throw malformed(field, `at most ${type.limit} bytes`)
      return bytes
    }
    case 'hashes':
      return vector(json, field, type.length, 32)
    case 'keys':
      return vector(json, field, type.length, 48)
    case 'container':
      return container(type.fields, json, field)
  }
}

/** The Beacon API writes integers as decimal strings. */
function littleEndian(json: unknown, field: string, length: number): Uint8Array {
  const isDecimal = typeof json === 'string' && /^(0|[1-9][0-9]{0,77})$/.test(json)
  let rest = isDecimal ? BigInt(json) : -1n
  const bytes = new Uint8Array(length)
  for (let i = 0; i < length && rest >= 0n; i++) {
    bytes[i] = Number(rest & 0xffn)
    rest >>= 8n
  }
  if (rest !== 0n) throw malformed(field, `a decimal string below 2^${8 * length}`)
  return bytes
}

function vector(json: unknown, field: string, length: number, size: number): Uint8Array {
  const list = asList(json, field)
  if (list.length !== length) throw malformed(field, `a list of ${length}`)
  return concat(list.map((item, i) => asBytes(item, `${field}[${i}]`, size)))
}

function container(fields: readonly SszField[], json: unknown, field: string): Uint8Array {
  const record = asRecord(json, field)
  const parts = fields.map(([name, type]) => ({
    isFixed: isFixed(type),
    bytes: encodeSsz(type, record[name], `${field}.${name}`),
  }))
  let offset = parts.reduce((sum, { isFixed, bytes }) => sum + (isFixed ? bytes.length : OFFSET), 0)
  const heads = parts.map(({ isFixed, bytes }) => {
    if (isFixed) return bytes
    const head = new Uint8Array(OFFSET)
    new DataView(head.buffer).setUint32(0, offset, true)
    offset += bytes.length
    return head
  })
  const tails = parts.filter(({ isFixed }) => !isFixed).map(({ bytes }) => bytes)
  return concat([...heads, ...tails])
}

function isFixed(type: SszType): boolean {
  if (type.kind === 'container') return type.fields.every(([, field]) => isFixed(field))
  return type.kind !== 'byteList'
}
