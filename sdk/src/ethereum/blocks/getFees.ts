/** Fees that the next transaction should offer, from proven blocks alone. */

import { getBlock } from '../../actions/getBlock.js'
import { type BlockAndSignal, parseParameters, parseSignal } from '../../actions/parameters.js'
import type { Client } from '../../client/client.js'
import { parseInteger } from '../../encoding/input.js'
import type { Block, Result, Trust } from '../../result/result.js'
import type { Transaction } from '../../systems/body/types.js'
import { getTransactions } from './getTransactions.js'
import { headerJson } from './headerJson.js'

/** Number of blocks whose tips are sampled, ending with `at`. */
export interface FeesParameters extends BlockAndSignal {
  /** Default 3, at most 20: each costs its transactions, on mainnet some 200 kB. */
  readonly blocks?: number
}

/** Fees in wei for one gas. */
export interface Fees {
  /** Of the newest block that was looked at; 0 before London. */
  readonly baseFeePerGas: bigint
  /** Of the block after it, by the formula of EIP-1559. */
  readonly nextBaseFeePerGas: bigint
  /**
   * The median of what the transactions of these blocks paid above the base fee; 1 gwei if there
   * are none.
   */
  readonly maxPriorityFeePerGas: bigint
  /** Transactions that were looked at. */
  readonly transactions: number
}

/** What is offered where no transaction shows what others offer. */
const NO_TIPS = 1_000_000_000n

/**
 * Proves the base fee and the tips of the newest blocks.
 *
 * @returns present, invalid or unavailable; never absent. The trust report is the newest block's.
 * @throws InputError for a malformed argument, PlatformError, or the reason of an aborted signal.
 */
export async function getFees(
  client: Client,
  parameters: FeesParameters = {},
): Promise<Result<Fees, never>> {
  const given = parseParameters(client, parameters, ['at', 'blocks', 'signal'])
  const count = parseInteger(given.blocks, 'blocks', { min: 1, max: 20, fallback: 3 })
  const signal = parseSignal(given.signal)
  const end = signal === undefined ? {} : { signal }
  const newest = given.at ?? (client.anchor.kind === 'checkpoint' ? 'head' : undefined)
  let block = await getBlock(client, {
    // Checked by the action.
    ...(newest !== undefined && { block: newest as NonNullable<FeesParameters['at']> }),
    ...end,
  })
  if (block.status !== 'present') return block
  const head = feesOf(client, block.value)
  const tips: bigint[] = []
  let trust: Trust | undefined
  for (let i = 0; i < count; i++) {
    const { value } = block
    const { baseFee } = feesOf(client, value)
    const listed = await getTransactions(client, { at: value, ...end })
    if (listed.status !== 'present') return listed
    trust ??= listed.trust
    for (const each of listed.value.transactions) tips.push(tipOf(each, baseFee))
    if (value.number === 0n || i === count - 1) break
    const parent = { number: value.number - 1n, hash: value.parentHash }
    const next = await getBlock(client, { block: parent, ...end })
    if (next.status !== 'present') return next
    block = next
  }
  tips.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const value = {
    baseFeePerGas: head.baseFee,
    nextBaseFeePerGas: head.next,
    maxPriorityFeePerGas: tips[Math.floor(tips.length / 2)] ?? NO_TIPS,
    transactions: tips.length,
  }
  return { status: 'present', value, trust: trust ?? block.trust }
}

/** What a transaction pays above the base fee. */
function tipOf(transaction: Transaction, baseFee: bigint): bigint {
  const { gasPrice, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = transaction
  if (gasPrice !== undefined) return gasPrice - baseFee
  const most = maxFeePerGas - baseFee
  if (most < maxPriorityFeePerGas) return most
  return maxPriorityFeePerGas
}

/** A header's base fee, the next block's, and how full it is. */
export interface BlockFees {
  readonly baseFee: bigint
  readonly next: bigint
  readonly gasUsed: bigint
  readonly gasLimit: bigint
}

/** Of a block that an action just proved. */
export function feesOf(client: Client, block: Block): BlockFees {
  const json = headerJson(client, block)
  const read = (name: string): bigint => BigInt(json[name] ?? 0)
  const baseFee = read('baseFeePerGas')
  const gasUsed = read('gasUsed')
  const gasLimit = read('gasLimit')
  return { baseFee, next: nextBaseFee(baseFee, gasUsed, gasLimit), gasUsed, gasLimit }
}

/** EIP-1559, with Ethereum's elasticity of 2 and denominator of 8. */
function nextBaseFee(baseFee: bigint, gasUsed: bigint, gasLimit: bigint): bigint {
  const target = gasLimit / 2n
  if (target === 0n || gasUsed === target) return baseFee
  if (gasUsed > target) {
    const rise = (baseFee * (gasUsed - target)) / target / 8n
    return baseFee + (rise > 1n ? rise : 1n)
  }
  return baseFee - (baseFee * (target - gasUsed)) / target / 8n
}
