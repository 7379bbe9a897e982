/**
 * `eth_getProof` JSON (EIP-1186) into the core's proof RLP. Claimed fields go along: the core
 * compares them.
 */

import { fromHex, integerBytes } from '../../encoding/hex.js'
import { leftPad } from '../../encoding/input.js'
import { encodeRlp, type RlpValue } from '../../encoding/rlp.js'
import { asBytes, asInteger, asList, asRecord, malformed } from '../../encoding/untrusted.js'

/**
 * RLP `[address, nonce, balance, storageHash, codeHash, [node…], [[key, value, [node…]]…],
 * [code]?]`.
 *
 * @param response - the result of `eth_getProof`, untrusted.
 * @param code - the result of `eth_getCode`, untrusted, if the query wants the code.
 * @throws ProofError `decode.response` naming the field that is not of its form.
 */
export function encodeProof(response: unknown, code?: { readonly result: unknown }): Uint8Array {
  const reply = asRecord(response, 'eth_getProof')
  const storage = asList(reply['storageProof'], 'storageProof')
  return encodeRlp([
    asBytes(reply['address'], 'address', 20),
    integerBytes(asInteger(reply['nonce'], 'nonce')),
    integerBytes(asInteger(reply['balance'], 'balance')),
    asBytes(reply['storageHash'], 'storageHash', 32),
    asBytes(reply['codeHash'], 'codeHash', 32),
    nodes(reply['accountProof'], 'accountProof'),
    storage.map((slot, i) => encodeSlot(slot, `storageProof[${i}]`)),
    code === undefined ? [] : [asBytes(code.result, 'eth_getCode')],
  ])
}

function encodeSlot(value: unknown, field: string): RlpValue {
  const slot = asRecord(value, field)
  return [
    asKey(slot['key'], `${field}.key`),
    integerBytes(asInteger(slot['value'], `${field}.value`)),
    nodes(slot['proof'], `${field}.proof`),
  ]
}

function nodes(value: unknown, field: string): readonly Uint8Array[] {
  const list = asList(value, field)
  // Two ways to write the proof of an empty trie: no node, or its one node, the empty string.
  if (list.length === 1 && list[0] === '0x80') return []
  return list.map((node, i) => asBytes(node, `${field}[${i}]`))
}

/** Nodes repeat the key as they like: padded or not, with `0x` or not. */
function asKey(value: unknown, field: string): Uint8Array {
  const digits = typeof value === 'string' ? value.replace(/^0x/, '') : ''
  const even = digits.length % 2 === 0 ? digits : `0${digits}`
  const bytes = even === '' ? undefined : fromHex(`0x${even}`)
  if (bytes !== undefined && bytes.length <= 32) return leftPad(bytes)
  throw malformed(field, 'hex of at most 32 bytes')
}
