/** `eth_getBlockBy*` with transactions, counts, transactions and receipts. */

import { getBlock } from '../../actions/getBlock.js'
import { isPinned, PINNED } from '../../client/pinned.js'
import { shown } from '../../encoding/input.js'
import type { Mined } from '../../ethereum/blocks/blockBody.js'
import { getReceipt } from '../../ethereum/blocks/getReceipt.js'
import { getReceipts } from '../../ethereum/blocks/getReceipts.js'
import { getTransaction } from '../../ethereum/blocks/getTransaction.js'
import { getTransactions } from '../../ethereum/blocks/getTransactions.js'
import { getWithdrawals } from '../../ethereum/blocks/getWithdrawals.js'
import { headerJson } from '../../ethereum/blocks/headerJson.js'
import type { Json } from '../../result/json.js'
import type { Block, Result, Trust } from '../../result/result.js'
import { contractOf, senderOf } from '../../systems/body/sender.js'
import type { Receipt, Transaction } from '../../systems/body/types.js'
import { type BlockJson, blockJson } from '../blockJson.js'
import { blockOf } from '../blockTag.js'
import { type Answer, type Ask, settle } from '../methods.js'
import { invalidParams, unprovable } from '../rpcError.js'
import { receiptJson, transactionJson, withdrawalJson } from './json.js'
import { pendingBy } from './pending.js'

/** A value that was proven. */
interface Proven<V> {
  readonly value: V
  readonly trust: Trust
}

/** @throws ProviderRpcError unless it is proven. */
export function need<V>(result: Result<V, never>): Proven<V> {
  settle<V, never>(result, () => null)
  if (result.status !== 'present') throw new TypeError('it was settled')
  return result
}

/** The block of a parameter; undefined if it is newer than all that is trusted. */
async function find(ask: Ask, id: unknown): Promise<Proven<Block> | undefined> {
  const { client, signal } = ask
  const block = blockOf(client, id)
  const result = await getBlock(client, block === undefined ? { signal } : { signal, block })
  if (result.status === 'unavailable' && typeof block === 'bigint') {
    const latest = blockOf(client, 'latest')
    const head = need(
      await getBlock(client, latest === undefined ? { signal } : { signal, block: latest }),
    )
    if (block > head.value.number) return undefined
  }
  return need(result)
}

const minedIn = ({ number, hash }: Block): Mined => ({ blockNumber: number, blockHash: hash })

/** The whole block: its transactions, or their hashes, and its withdrawals. */
export async function getFullBlock(ask: Ask): Promise<Answer> {
  const { client, params, signal } = ask
  const [id, full = false] = params
  if (typeof full !== 'boolean') throw invalidParams(`expected true or false, got ${shown(full)}`)
  const found = await find(ask, id)
  if (found === undefined) return { result: null, trust: undefined }
  const { value: block } = found
  const json = blockJson(client, block)
  if (client.chain.kind !== 'ethereum') return { result: json, trust: found.trust }
  const at = { at: block, signal }
  const [listed, paid] = await Promise.all([
    json['transactions'] === undefined ? getTransactions(client, at) : undefined,
    json['withdrawalsRoot'] === undefined ? undefined : getWithdrawals(client, at),
  ])
  const withdrawals = paid && { withdrawals: need(paid).value.withdrawals.map(withdrawalJson) }
  if (listed === undefined) return { result: { ...json, ...withdrawals }, trust: found.trust }
  const { value, trust } = need(listed)
  const transactions: Json[] = []
  for (const each of value.transactions) {
    transactions.push(full ? await printed(ask, each, minedIn(block)) : each.hash)
  }
  return { result: { ...json, ...withdrawals, transactions } satisfies BlockJson, trust }
}

/** The header alone. */
export async function getHeader(ask: Ask): Promise<Answer> {
  const found = await find(ask, ask.params[0])
  if (found === undefined) return { result: null, trust: undefined }
  return { result: headerJson(ask.client, found.value), trust: found.trust }
}

async function printed(ask: Ask, transaction: Transaction, mined: Mined): Promise<Json> {
  return transactionJson(transaction, await senderOf(ask.recoverAddress, transaction), mined)
}

/** How many transactions the block has. */
export async function countTransactions(ask: Ask): Promise<Answer> {
  const found = await find(ask, ask.params[0])
  if (found === undefined) return { result: null, trust: undefined }
  const { client, signal } = ask
  const { value, trust } = need(
    await getTransactions(client, { at: found.value, signal, indices: [0] }),
  )
  return { result: `0x${value.count.toString(16)}`, trust }
}

/** The block's transaction at an index; null beyond its last one. */
export async function transactionAt(ask: Ask): Promise<Answer> {
  const { client, params, signal } = ask
  const index = parseIndex(params[1])
  const found = await find(ask, params[0])
  if (found === undefined) return { result: null, trust: undefined }
  const at = { at: found.value, signal, indices: [index] }
  const { value, trust } = need(await getTransactions(client, at))
  const [only] = value.transactions
  const result = only === undefined ? null : await printed(ask, only, minedIn(found.value))
  return { result, trust }
}

function parseIndex(value: unknown): number {
  const index = typeof value === 'string' && /^0x[0-9a-f]{1,8}$/i.test(value) ? Number(value) : -1
  if (index >= 0) return index
  throw invalidParams(`expected an index in hex, got ${shown(value)}`)
}

/**
 * A transaction that is in a block, or whose bytes are known; null where no node shows either,
 * which proves nothing.
 */
export async function transactionBy(ask: Ask): Promise<Answer> {
  const question = byHash(ask)
  const result = await getTransaction(ask.client, question)
  if (isNotShown(ask, result)) {
    const waiting = await pendingBy(ask, question.hash)
    return waiting === null ? notShown(ask) : { result: waiting, trust: undefined }
  }
  const { value, trust } = need(result)
  const { blockHash, blockNumber, ...transaction } = value
  if (!(await isInChain(ask, value))) return notShown(ask)
  return { result: await printed(ask, transaction, { blockHash, blockNumber }), trust }
}

/** The receipt of a transaction; null where no node shows one, which proves nothing. */
export async function receiptBy(ask: Ask): Promise<Answer> {
  const { client, signal } = ask
  const result = await getReceipt(client, byHash(ask))
  if (isNotShown(ask, result)) return notShown(ask)
  const { value, trust } = need(result)
  const { blockHash, blockNumber, ...receipt } = value
  const mined = { blockHash, blockNumber }
  if (!(await isInChain(ask, mined))) return notShown(ask)
  if (ask.recoverAddress === undefined) return { result: withoutSender(receipt, mined), trust }
  // A receipt has no signature: its transaction has it.
  const at = { number: blockNumber, hash: blockHash }
  const indices = [receipt.transactionIndex]
  const { transactions } = need(await getTransactions(client, { at, signal, indices })).value
  return { result: await withSender(ask, receipt, mined, transactions[0]), trust }
}

/** All receipts of a block. */
export async function receiptsOf(ask: Ask): Promise<Answer> {
  const { client, params, signal } = ask
  const found = await find(ask, params[0])
  if (found === undefined) return { result: null, trust: undefined }
  const { value: block } = found
  const at = { at: block, signal }
  const [all, listed] = await Promise.all([
    getReceipts(client, at),
    ask.recoverAddress === undefined ? undefined : getTransactions(client, at),
  ])
  const { value, trust } = need(all)
  const transactions = listed === undefined ? [] : need(listed).value.transactions
  const result: Json[] = []
  for (const [i, receipt] of value.receipts.entries()) {
    result.push(await withSender(ask, receipt, minedIn(block), transactions[i]))
  }
  return { result, trust }
}

/** Without a recovered sender, whether a contract was made says `to` alone; where, nothing. */
function withoutSender(receipt: Receipt, mined: Mined): Json {
  const contractAddress = receipt.to === null ? undefined : null
  return receiptJson(receipt, mined, { from: undefined, contractAddress })
}

async function withSender(
  ask: Ask,
  receipt: Receipt,
  mined: Mined,
  transaction: Transaction | undefined,
): Promise<Json> {
  const from = transaction && (await senderOf(ask.recoverAddress, transaction))
  if (transaction === undefined || from === undefined) return withoutSender(receipt, mined)
  const made = receipt.to === null ? await contractOf(from, transaction.nonce) : null
  return receiptJson(receipt, mined, { from, contractAddress: made })
}

function byHash({ params: [hash], signal }: Ask): { hash: string; signal: AbortSignal } {
  if (typeof hash === 'string' && /^0x[0-9a-f]{64}$/i.test(hash)) return { hash, signal }
  throw invalidParams(`expected a transaction's hash, got ${shown(hash)}`)
}

/**
 * Libraries ask again after null. A later answer is the same where a block is pinned, so they get
 * an error that says why.
 *
 * @throws ProviderRpcError 4200 where a block is pinned.
 */
function notShown({ client }: Ask): Answer {
  if (!isPinned(client)) return { result: null, trust: undefined }
  throw unprovable(`no node shows it in or below the pinned block, and ${PINNED}`)
}

/**
 * Does no node name a trusted block that holds it? It waits, or it is in a block that is not signed
 * yet, or all nodes hide it: libraries want null of these, and ask again.
 */
function isNotShown({ client }: Ask, result: Result<unknown, never>): boolean {
  // A liar beside a node that merely has not got it must not end a library's wait.
  const isTrusted = client.nodes.some(({ health }) => health.badProof === undefined)
  if (result.status === 'invalid') return isTrusted
  return result.status === 'unavailable' && result.error.code === 'block'
}

/**
 * Is the block an ancestor of the newest trusted one? A block that was signed once may be in a fork
 * by now, and libraries count confirmations by its number.
 */
async function isInChain({ client, signal }: Ask, mined: Mined): Promise<boolean> {
  const now = need(await getBlock(client, { block: mined.blockNumber, signal }))
  return now.value.hash === mined.blockHash
}

/** Uncles of a block of proof of stake: none, by the header. */
export async function countUncles(ask: Ask): Promise<Answer> {
  const found = await find(ask, ask.params[0])
  if (found === undefined) return { result: null, trust: undefined }
  const { uncles } = blockJson(ask.client, found.value)
  if (Array.isArray(uncles)) return { result: '0x0', trust: found.trust }
  throw unprovable('the block has uncles, and no proof says how many')
}
