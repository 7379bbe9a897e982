/** Transfers in logs, and what they come to block by block. */

import { InputError, type Trust } from 'lightproof'
import type { BlockLog } from 'lightproof/blocks'
import type { History } from 'lightproof/cole'
import { printable } from 'lightproof/printable'
import type { Settings } from '../form/settings.js'

/** `Transfer(address,address,uint256)` of ERC-20. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** A transfer of a token, as its contract logged it. */
export interface Transfer {
  readonly block: bigint
  /** Its log’s place in the block. */
  readonly index: number
  readonly token: string
  readonly from: string
  readonly to: string
  /** In the token’s smallest unit. */
  readonly amount: bigint
}

/** What one way of asking cost. */
export interface Cost {
  readonly requests: number
  readonly bytes: number
  readonly milliseconds: number
}

/** Transfers, from the receipts of every block of the range whose header may have some. */
export interface ByLogs {
  readonly transfers: readonly Transfer[]
  readonly trust: Trust
  readonly cost: Cost
}

/** Every version of the slot that holds the balance. */
export interface ByCole {
  readonly history: History
  readonly trust: Trust
  readonly cost: Cost
}

/** Both, or the one that the chain has. */
export interface Transfers {
  readonly asked: Settings
  readonly from: bigint
  readonly to: bigint
  readonly logs: ByLogs | undefined
  readonly cole: ByCole | undefined
}

/**
 * An address as topics have it.
 *
 * @throws {@link InputError} for what is no address.
 */
export function wordOf(address: string, argument: string): string {
  if (/^0x[0-9a-f]{40}$/i.test(address)) {
    return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
  }
  const problem = `expected 0x and 40 hex digits, got "${printable(address)}"`
  throw new InputError('input.address', argument, problem)
}

/** What logs of transfers from an account and to it are found by. */
export function eventFilters(
  address: string,
): readonly (readonly [name: 'from' | 'to', topics: readonly (string | null)[]])[] {
  const party = wordOf(address, 'address')
  return [
    ['from', [TRANSFER, party]],
    ['to', [TRANSFER, null, party]],
  ]
}

/** The transfer in a log; none in one of another form, such as that of an NFT. */
export function transferOf({ blockNumber, logIndex, address, topics, data }: BlockLog): Transfer[] {
  const [, from, to, rest] = topics
  if (from === undefined || to === undefined || rest !== undefined || data.length !== 66) return []
  return [
    {
      block: blockNumber,
      index: Number(logIndex),
      token: address,
      from: `0x${from.slice(26)}`,
      to: `0x${to.slice(26)}`,
      amount: BigInt(data),
    },
  ]
}

/** Oldest first; what was found both ways, from an account to itself, once. */
export function inOrder(transfers: readonly Transfer[]): readonly Transfer[] {
  const once = new Map(transfers.map((one) => [`${one.block} ${one.index}`, one]))
  return [...once.values()].sort((a, b) => Number(a.block - b.block) || a.index - b.index)
}

/** A block in which something moved, as both ways of asking have it. */
export interface Row {
  readonly block: bigint
  readonly transfers: readonly Transfer[]
  /** Of the account, by the transfers of the block. */
  readonly change: bigint
  /** What stood in the slot after the block; undefined where nothing was written, or nobody asked. */
  readonly balance: bigint | undefined
  /**
   * Is the balance what it was before, and the transfers? Undefined where the proof does not tell
   * what stood before.
   */
  readonly isEqual: boolean | undefined
}

/** One row a block, oldest first. */
export function rowsOf(
  account: string,
  transfers: readonly Transfer[],
  history: History | undefined,
): readonly Row[] {
  const own = account.toLowerCase()
  const versions = new Map(history?.versions.map(({ block, value }) => [block, BigInt(value)]))
  const blocks = [...new Set([...transfers.map(({ block }) => block), ...versions.keys()])]
  let before = balanceBefore(history)
  return blocks
    .sort((a, b) => Number(a - b))
    .map((block) => {
      const inside = transfers.filter((one) => one.block === block)
      const change = inside.reduce((sum, { from, to, amount }) => {
        return sum + (to === own ? amount : 0n) - (from === own ? amount : 0n)
      }, 0n)
      const balance = versions.get(block)
      const after = balance ?? before
      const isEqual = before === undefined ? undefined : after === before + change
      before = after
      return { block, transfers: inside, change, balance, isEqual }
    })
}

function balanceBefore(history: History | undefined): bigint | undefined {
  const before = history?.predecessor
  if (before?.status === 'proven') return BigInt(before.value)
  return before?.status === 'none' ? 0n : undefined
}
