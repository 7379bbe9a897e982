/**
 * A block's lists, from the JSON of plain Ethereum nodes to the bytes that the header's tries hold.
 * Untrusted, like the JSON.
 */

import { integerBytes } from '../../encoding/hex.js'
import { encodeRlp, type RlpValue } from '../../encoding/rlp.js'
import { asBytes, asInteger, asList, asRecord, malformed } from '../../encoding/untrusted.js'

/** Nodes' answers, as far as a question needs them. */
export interface BodyAnswers {
  readonly transactions?: unknown
  readonly receipts?: unknown
  readonly withdrawals?: unknown
}

/**
 * The core's proof: a list for each answer.
 *
 * @throws ProofError `decode.response` naming the field that is not of its form.
 */
export function encodeBody({ transactions, receipts, withdrawals }: BodyAnswers): Uint8Array {
  const lists: RlpValue[] = []
  if (transactions !== undefined) lists.push(each(transactions, 'transactions', transaction))
  if (receipts !== undefined) lists.push(each(receipts, 'receipts', receipt))
  if (withdrawals !== undefined) lists.push(each(withdrawals, 'withdrawals', withdrawal))
  return encodeRlp(lists)
}

type Fields = Record<string, unknown>

function each<T>(list: unknown, field: string, encode: (item: Fields, field: string) => T): T[] {
  return asList(list, field).map((item, i) => {
    const name = `${field}[${i}]`
    return encode(asRecord(item, name), name)
  })
}

/** An envelope: EIP-2718. */
function transaction(json: Fields, field: string): Uint8Array {
  const type = typeOf(json, field)
  const int = (name: string): Uint8Array => integer(json, name, field)
  const fees = type < 2 ? ['gasPrice'] : ['maxPriorityFeePerGas', 'maxFeePerGas']
  const to = json['to'] === null || json['to'] === undefined ? '0x' : json['to']
  const data = asBytes(json['input'] ?? json['data'], `${field}.input`)
  const fields: RlpValue[] = [int('nonce'), ...fees.map(int), int('gas')]
  fields.push(asBytes(to, `${field}.to`), int('value'), data)
  if (type > 0) {
    fields.unshift(int('chainId'))
    fields.push(each(json['accessList'], `${field}.accessList`, access))
  }
  if (type === 3) {
    const hashes = asList(json['blobVersionedHashes'], `${field}.blobVersionedHashes`)
    fields.push(int('maxFeePerBlobGas'))
    fields.push(hashes.map((hash, i) => asBytes(hash, `${field}.blobVersionedHashes[${i}]`)))
  }
  if (type === 4) {
    fields.push(each(json['authorizationList'], `${field}.authorizationList`, authorization))
  }
  // Most nodes write `v` in every transaction; some leave it out where `yParity` says the same.
  fields.push(int(json['v'] === undefined ? 'yParity' : 'v'), int('r'), int('s'))
  return envelope(type, fields)
}

function access(json: Fields, field: string): RlpValue {
  const keys = asList(json['storageKeys'], `${field}.storageKeys`)
  return [
    asBytes(json['address'], `${field}.address`),
    keys.map((key, i) => asBytes(key, `${field}.storageKeys[${i}]`)),
  ]
}

function authorization(json: Fields, field: string): RlpValue {
  const int = (name: string): Uint8Array => integer(json, name, field)
  const address = asBytes(json['address'], `${field}.address`)
  return [int('chainId'), address, int('nonce'), int('yParity'), int('r'), int('s')]
}

function receipt(json: Fields, field: string): Uint8Array {
  const type = typeOf(json, field)
  // Before Byzantium the state root stands in the status's place.
  const outcome =
    typeof json['root'] === 'string'
      ? asBytes(json['root'], `${field}.root`)
      : integer(json, 'status', field)
  const gas = integer(json, 'cumulativeGasUsed', field)
  const bloom = asBytes(json['logsBloom'], `${field}.logsBloom`)
  return envelope(type, [outcome, gas, bloom, each(json['logs'], `${field}.logs`, log)])
}

function log(json: Fields, field: string): RlpValue {
  const topics = asList(json['topics'], `${field}.topics`)
  return [
    asBytes(json['address'], `${field}.address`),
    topics.map((topic, i) => asBytes(topic, `${field}.topics[${i}]`)),
    asBytes(json['data'], `${field}.data`),
  ]
}

function withdrawal(json: Fields, field: string): Uint8Array {
  const int = (name: string): Uint8Array => integer(json, name, field)
  const address = asBytes(json['address'], `${field}.address`)
  return encodeRlp([int('index'), int('validatorIndex'), address, int('amount')])
}

function integer(json: Fields, name: string, field: string): Uint8Array {
  return integerBytes(asInteger(json[name], `${field}.${name}`))
}

/**
 * Old nodes leave the type out: then it is 0. A type of one byte that is not known goes to the
 * core, which says so.
 */
function typeOf(json: Fields, field: string): number {
  const type = json['type'] === undefined ? 0n : asInteger(json['type'], `${field}.type`)
  if (type > 0x7fn) throw malformed(`${field}.type`, 'a type of at most 0x7f')
  return Number(type)
}

function envelope(type: number, fields: RlpValue): Uint8Array {
  const list = encodeRlp(fields)
  if (type === 0) return list
  const bytes = new Uint8Array(1 + list.length)
  bytes[0] = type
  bytes.set(list, 1)
  return bytes
}
