/**
 * What a node says that a call reads: a guess, of which nothing is taken but names to ask for, and
 * bytes that hash to what they are.
 */

import { fromHex, toHex } from '../encoding/hex.js'
import { type Address, type Hash, isRecord } from '../encoding/input.js'
import type { Item } from './request.js'

/** More is not asked for on a node's word alone. */
const MAX_ITEMS = 2_000

/** Items of an answer of `eth_createAccessList`; what is malformed is left out. */
export function readHint(answer: unknown): Item[] {
  const list = isRecord(answer) ? answer['accessList'] : undefined
  const items: Item[] = []
  for (const entry of Array.isArray(list) ? list : []) {
    const { address: who, storageKeys } = isRecord(entry) ? entry : {}
    const address = hexOf(who, 20) as Address | undefined
    if (address === undefined) continue
    items.push({ kind: 'account', address })
    items.push({ kind: 'code', address, hash: UNKNOWN })
    for (const value of Array.isArray(storageKeys) ? storageKeys : []) {
      const key = hexOf(value, 32)
      if (key !== undefined) items.push({ kind: 'slot', address, key })
      if (items.length >= MAX_ITEMS) return items
    }
  }
  return items
}

/** The module takes no longer ones. */
const MAX_NODE = 600
const MAX_CODE = 1_048_576
/** An item takes a dozen nodes. */
const MAX_NODES = 40_000

/**
 * Nodes and codes of an answer of `lp_callProof`: `{ state, codes }`; what is malformed is left
 * out.
 */
export function readOffer(answer: unknown): {
  readonly nodes: readonly Uint8Array[]
  readonly codes: readonly Uint8Array[]
} {
  const { state, codes } = isRecord(answer) ? answer : {}
  return { nodes: bytesIn(state, MAX_NODE), codes: bytesIn(codes, MAX_CODE) }
}

function bytesIn(list: unknown, most: number): Uint8Array[] {
  const items: readonly unknown[] = Array.isArray(list) ? list.slice(0, MAX_NODES) : []
  return items
    .map((item) => fromHex(item))
    .filter((item) => item !== undefined)
    .filter(({ length }) => length > 0 && length <= most)
}

/** Of a code that nobody has named yet. */
const UNKNOWN = '0x' as Hash

function hexOf(value: unknown, length: number): `0x${string}` | undefined {
  const bytes = fromHex(value)
  return bytes?.length === length ? toHex(bytes) : undefined
}
