/** What calls read, by name; and what of it is kept. */

import type { Hex } from '../encoding/hex.js'
import type { Address } from '../encoding/input.js'
import type { Located } from '../proving/line.js'
import type { Kept } from '../systems/mpt/cache/kept.js'
import { HISTORY, slotOf } from '../systems/mpt/history.js'
import type { Item } from './request.js'
import type { Witness } from './witness.js'

/** Rules under which a contract keeps the hashes of blocks (EIP-2935). */
const WITH_HISTORY: readonly string[] = ['prague', 'osaka', 'amsterdam']

/** A block, with the name of the rules that it follows. */
export interface Place extends Located {
  readonly rules: string
}

/** A name for each item. */
export function keyOf(item: Item): string {
  switch (item.kind) {
    case 'slot':
      return `${item.address} ${item.key}`
    case 'code':
      return `${item.address} ${item.hash} code`
    case 'blockHash':
      return item.number
    default:
      return `${item.kind} ${item.address}`
  }
}

/** Where the hash of a block is kept; undefined under rules that keep none. */
export function historySlot(
  number: Hex,
  rules: string,
): { readonly address: Address; readonly slot: Hex } | undefined {
  if (!WITH_HISTORY.includes(rules)) return undefined
  return { address: HISTORY, slot: slotOf(BigInt(number)) }
}

/**
 * Headers between a block and an older one whose hash is asked for: those that name it, if they are
 * known.
 */
export function ancestorsTo({ header, line }: Located, number: bigint): Uint8Array[] | undefined {
  const at = line.headers.indexOf(header)
  const count = Number(header.number - number) - 1
  const headers = line.headers.slice(at + 1, at + 1 + count)
  return headers.length === count ? headers.map(({ rlp }) => rlp) : undefined
}

/** Takes an item from what is kept, if it is. */
export function fromCache(
  kept: Kept | undefined,
  place: Place,
  item: Item,
  witness: Witness,
): boolean {
  const { stateRoot } = { stateRoot: place.header.commitments['mpt'] }
  const recall = (address: Address, slots: readonly Hex[]): boolean => {
    const proof = stateRoot && kept?.recall(stateRoot, { address, slots, wantCode: false })
    if (proof) witness.addProof(proof)
    return proof !== undefined
  }
  switch (item.kind) {
    case 'account':
      return recall(item.address, [])
    case 'slot':
      return recall(item.address, [item.key])
    case 'code': {
      const code = kept?.code(item.hash)
      if (code !== undefined) witness.addCode(code)
      return code !== undefined
    }
    case 'blockHash': {
      const known = ancestorsTo(place, BigInt(item.number))
      if (known !== undefined && known.length > witness.headers.length) {
        witness.headers = known
        return true
      }
      const where = historySlot(item.number, place.rules)
      return where !== undefined && recall(where.address, [where.slot])
    }
    case 'precompile':
      return false
  }
}

/** Each item once. */
export function itemsIn(lists: readonly (readonly Item[])[]): Item[] {
  return [...new Map(lists.flat().map((item) => [keyOf(item), item])).values()]
}
