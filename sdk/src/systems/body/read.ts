/** The core's fact about a block's body, as callers read it. */

import type { Hex } from '../../encoding/hex.js'
import type { BodyFactJson, BodyValue, FactRecord } from './types.js'

/** Fields that are small numbers. */
const SMALL = new Set(['transactionIndex', 'logIndex', 'type'])
/** Fields that are bytes. All others are integers. */
const BYTES = new Set([
  'hash',
  'signingHash',
  'transactionHash',
  'root',
  'to',
  'address',
  'input',
  'data',
  'logsBloom',
])

/** Hex of numbers becomes numbers, in lists too. */
export function readBody(fact: BodyFactJson): BodyValue {
  if ('bloom' in fact) return fact
  const lists = Object.entries(fact).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(readRecord) : value,
  ])
  // Sound: the core wrote it, and a test holds its fields to the types.
  return Object.fromEntries(lists) as BodyValue
}

function readRecord(record: FactRecord): FactRecord {
  return Object.fromEntries(Object.entries(record).map(readField))
}

function readField([name, value]: [string, unknown]): [string, unknown] {
  if (Array.isArray(value)) {
    return [name, value.map((item) => (typeof item === 'string' ? item : readRecord(item)))]
  }
  if (name === 'status') return ['succeeded', value === '0x1']
  if (value === null || BYTES.has(name)) return [name, value]
  const number = BigInt(value as Hex)
  return [name, SMALL.has(name) ? Number(number) : number]
}
