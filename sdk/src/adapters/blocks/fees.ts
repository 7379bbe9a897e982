/** `eth_gasPrice`, `eth_maxPriorityFeePerGas` and `eth_feeHistory`, from proven blocks. */

import { blocksBelow } from '../../actions/blocksBelow.js'
import { getBlock } from '../../actions/getBlock.js'
import { toQuantity } from '../../encoding/hex.js'
import { shown } from '../../encoding/input.js'
import { feesOf, getFees } from '../../ethereum/blocks/getFees.js'
import { getReceipts } from '../../ethereum/blocks/getReceipts.js'
import type { Json } from '../../result/json.js'
import type { Block } from '../../result/result.js'
import { blockOf } from '../blockTag.js'
import type { Answer, Ask } from '../methods.js'
import { invalidParams, ProviderRpcError, RPC_CODES } from '../rpcError.js'
import { need } from './lists.js'

/** What a legacy transaction should offer: the next block's base fee and the median tip. */
export async function gasPrice({ client, signal }: Ask): Promise<Answer> {
  const { value, trust } = need(await getFees(client, { signal }))
  return { result: toQuantity(value.nextBaseFeePerGas + value.maxPriorityFeePerGas), trust }
}

/** The median tip of the newest blocks. */
export async function maxPriorityFeePerGas({ client, signal }: Ask): Promise<Answer> {
  const { value, trust } = need(await getFees(client, { signal }))
  return { result: toQuantity(value.maxPriorityFeePerGas), trust }
}

/** Headers cost 1 block's JSON each; rewards cost its transactions and receipts. */
const MAX_BLOCKS = 1024
const MAX_REWARDED = 32

/**
 * Base fees and fill of a range; tips at percentiles of its gas. Blobs' fees depend on each fork's
 * schedule: left out.
 */
export async function feeHistory(ask: Ask): Promise<Answer> {
  const { client, params, signal } = ask
  const [wanted, newest, given] = params
  const percentiles = parsePercentiles(given)
  const isRewarded = percentiles.length > 0
  const most = isRewarded ? MAX_REWARDED : MAX_BLOCKS
  const count = parseCount(wanted, most)
  const at = blockOf(client, newest)
  const head = need(await getBlock(client, at === undefined ? { signal } : { block: at, signal }))
  const blocks = [head.value]
  const lowest = head.value.number - BigInt(count - 1)
  for await (const below of blocksBelow(client, head.value, lowest < 0n ? 0n : lowest, signal)) {
    for (const block of need(below).value) blocks.unshift(block)
  }
  const fees = blocks.map((block) => feesOf(client, block))
  const reward: Json[] = []
  for (const block of isRewarded ? blocks : []) {
    reward.push(await rewardsOf(ask, block, percentiles))
  }
  const next = fees.at(-1)?.next ?? 0n
  const result = {
    oldestBlock: toQuantity(blocks[0]?.number ?? 0n),
    baseFeePerGas: [...fees.map(({ baseFee }) => baseFee), next].map(toQuantity),
    gasUsedRatio: fees.map(({ gasUsed, gasLimit }) => Number(gasUsed) / Number(gasLimit)),
    ...(isRewarded ? { reward } : {}),
  }
  return { result, trust: head.trust }
}

async function rewardsOf(
  { client, signal }: Ask,
  block: Block,
  percentiles: readonly number[],
): Promise<Json> {
  const { receipts } = need(await getReceipts(client, { at: block, signal })).value
  const { baseFee } = feesOf(client, block)
  const tips = receipts
    .map(({ gasUsed, effectiveGasPrice }) => ({ gasUsed, tip: effectiveGasPrice - baseFee }))
    .sort((a, b) => (a.tip < b.tip ? -1 : a.tip > b.tip ? 1 : 0))
  const total = tips.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)
  return percentiles.map((percentile) => {
    const limit = (Number(total) * percentile) / 100
    let sum = 0n
    const reached = tips.find(({ gasUsed }) => {
      sum += gasUsed
      return Number(sum) >= limit
    })
    return toQuantity(reached?.tip ?? tips.at(-1)?.tip ?? 0n)
  })
}

function parseCount(value: unknown, most: number): number {
  const isHex = typeof value === 'string' && /^0x[0-9a-f]{1,8}$/i.test(value)
  const count = isHex ? Number(value) : value
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 1) {
    throw invalidParams(`expected a number of blocks, got ${shown(value)}`)
  }
  if (count <= most) return count
  const problem = `at most ${most} blocks: each is proven (${MAX_REWARDED} with percentiles)`
  throw new ProviderRpcError(RPC_CODES.limitExceeded, problem)
}

function parsePercentiles(value: unknown): readonly number[] {
  const all: readonly unknown[] = value == null ? [] : Array.isArray(value) ? value : [undefined]
  const isGood = (percentile: unknown, i: number): boolean =>
    typeof percentile === 'number' &&
    percentile >= 0 &&
    percentile <= 100 &&
    (i === 0 || percentile >= Number(all[i - 1]))
  if (all.length <= 100 && all.every(isGood)) return all as readonly number[]
  throw invalidParams('expected ascending percentiles from 0 to 100')
}
