/** Movements of tokens, as the tokens' contracts log them. */

import { fromHex, type Hex, toHex } from '../encoding/hex.js'
import type { CallLog } from './types.js'

/**
 * A movement that a contract claims in a log: its word, as far as its own code is to be believed.
 */
export interface TokenTransfer {
  readonly standard: 'erc20' | 'erc721' | 'erc1155'
  readonly token: Hex
  /** The zero address for tokens that are made. */
  readonly from: Hex
  /** The zero address for tokens that are destroyed. */
  readonly to: Hex
  /** In the token's smallest unit; 1n for ERC-721. */
  readonly amount: bigint
  /** Undefined for ERC-20. */
  readonly tokenId: bigint | undefined
}

/** `Transfer(address,address,uint256)`, of ERC-20 and, with four topics, of ERC-721. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** `TransferSingle` and `TransferBatch` of ERC-1155. */
const SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'

/** The movements in logs, in their order; logs of other forms are left out. */
export function transfersIn(logs: readonly CallLog[]): TokenTransfer[] {
  return logs.flatMap(transfersOf)
}

function transfersOf({ address: token, topics, data }: CallLog): TokenTransfer[] {
  const [event, second = '0x', third = '0x', fourth = '0x'] = topics
  const words = wordsOf(data)
  if (event === TRANSFER && topics.length === 3 && words.length === 1) {
    const [amount = 0n] = words
    const parties = { from: partyOf(second), to: partyOf(third) }
    return [{ standard: 'erc20', token, ...parties, amount, tokenId: undefined }]
  }
  if (event === TRANSFER && topics.length === 4) {
    const parties = { from: partyOf(second), to: partyOf(third) }
    return [{ standard: 'erc721', token, ...parties, amount: 1n, tokenId: BigInt(fourth) }]
  }
  if (topics.length !== 4) return []
  const parties = { from: partyOf(third), to: partyOf(fourth) }
  if (event === SINGLE && words.length === 2) {
    const [tokenId, amount = 0n] = words
    return [{ standard: 'erc1155', token, ...parties, amount, tokenId }]
  }
  if (event !== BATCH) return []
  const [ids, amounts] = [listAt(words, 0), listAt(words, 1)]
  if (ids === undefined || ids.length !== amounts?.length) return []
  return ids.map((tokenId, i) => {
    return { standard: 'erc1155', token, ...parties, amount: amounts[i] ?? 0n, tokenId }
  })
}

function wordsOf(data: Hex): bigint[] {
  const bytes = fromHex(data) ?? new Uint8Array(0)
  const count = Math.floor(bytes.length / 32)
  return Array.from({ length: count }, (_, i) =>
    BigInt(toHex(bytes.subarray(32 * i, 32 * (i + 1)))),
  )
}

/** The list whose place the word at this index names; undefined if there is none. */
function listAt(words: readonly bigint[], index: number): bigint[] | undefined {
  const place = Number(words[index] ?? -1n) / 32
  const length = Number.isInteger(place) ? words[place] : undefined
  if (length === undefined || length > BigInt(words.length)) return undefined
  const list = words.slice(place + 1, place + 1 + Number(length))
  return list.length === Number(length) ? list : undefined
}

/** The address in a topic. */
function partyOf(topic: Hex): Hex {
  return `0x${topic.slice(-40).padStart(40, '0')}`
}
