/** Which block used a nonce: the one proof that a transaction can never come. */

import { getBlock } from '../../actions/getBlock.js'
import type { Client } from '../../client/client.js'
import { UnavailableError } from '../../result/errors.js'
import type { Block, Result } from '../../result/result.js'
import type { Transaction } from '../../systems/body/types.js'
import { getNonce } from '../accounts/getNonce.js'
import { getTransactions } from './getTransactions.js'

/** The block in which an account's nonce passed the wanted one, and all its transactions. */
export interface NonceUse {
  readonly block: Block
  readonly transactions: readonly Transaction[]
}

/** A nonce of an account. */
export interface NonceOf {
  readonly sender: string
  readonly nonce: bigint
}

/** Looks whether the nonce is used; undefined while it is not. */
export type LookForUse = () => Promise<Result<NonceUse | undefined, never>>

/** Ends a look that found no answer: thrown inside, never to callers. */
class Unproven {
  readonly result: Exclude<Result<never, never>, { readonly value: unknown }>

  constructor(result: Exclude<Result<never, never>, { readonly value: unknown }>) {
    this.result = result
  }
}

/**
 * Follows a nonce. The account is proven at the newest trusted block and, where its nonce has
 * passed, at blocks before it, until a block and its parent differ: that block used it.
 */
export function followNonce(
  client: Client,
  { sender, nonce }: NonceOf,
  end: { readonly signal?: AbortSignal },
): LookForUse {
  let unused: bigint | undefined
  let found: Result<NonceUse, never> | undefined
  const blockAt = async (block: bigint | Pick<Block, 'number' | 'hash'>): Promise<Block> =>
    need(await getBlock(client, { block, ...end }))
  const isUsedAt = async (at: Block): Promise<boolean> => {
    const count = await getNonce(client, { address: sender, at, ...end })
    // An account that is not there has sent nothing.
    if (count.status === 'present' || count.status === 'absent') return count.value > nonce
    throw new Unproven(count)
  }
  const look = async (): Promise<Result<NonceUse | undefined, never>> => {
    if (found?.status === 'present') {
      const { block } = found.value
      if ((await blockAt(block.number)).hash === block.hash) return found
      // It was left in a fork.
      found = undefined
    }
    const newest = client.anchor.kind === 'checkpoint' ? { block: 'head' } : {}
    const head = await getBlock(client, { ...newest, ...end })
    if (head.status !== 'present') return head
    if (!(await isUsedAt(head.value))) {
      unused = head.value.number
      return { ...head, value: undefined }
    }
    const block = await blockThatUsed(head.value, unused, blockAt, isUsedAt)
    const list = await getTransactions(client, { at: block, ...end })
    if (list.status !== 'present') return list
    found = { ...list, value: { block, transactions: list.value.transactions } }
    return found
  }
  return async () => {
    try {
      return await look()
    } catch (error) {
      if (error instanceof Unproven) return error.result
      throw error
    }
  }
}

function need<V>(result: Result<V, never>): V {
  if (result.status === 'present') return result.value
  if (result.status === 'absent') throw new TypeError('no question of these is absent')
  throw new Unproven(result)
}

/**
 * Searches from a block that was seen unused, if there is one, else back in steps that double; then
 * halves.
 */
async function blockThatUsed(
  head: Block,
  unused: bigint | undefined,
  blockAt: (block: bigint | Pick<Block, 'number' | 'hash'>) => Promise<Block>,
  isUsedAt: (block: Block) => Promise<boolean>,
): Promise<Block> {
  let used = head
  let step = unused === undefined || unused >= head.number ? 1n : head.number - unused
  let low: bigint | undefined
  while (low === undefined) {
    if (used.number === 0n) throw changed('it was used in block 0')
    const block = await blockAt(used.number > step ? used.number - step : 0n)
    if (await isUsedAt(block)) used = block
    else low = block.number
    step *= 2n
  }
  while (used.number - low > 1n) {
    const middle = await blockAt((low + used.number) / 2n)
    if (await isUsedAt(middle)) used = middle
    else low = middle.number
  }
  // Blocks were found by their numbers, which may be another chain's by now: the two must be parent
  // and child.
  const parent = await blockAt({ number: used.number - 1n, hash: used.parentHash })
  if (await isUsedAt(parent)) throw changed('the chain changed meanwhile')
  return used
}

function changed(why: string): Unproven {
  const problem = `the block that used the nonce was not found: ${why}`
  return new Unproven({
    status: 'unavailable',
    error: new UnavailableError('block', problem),
    tried: [],
  })
}
