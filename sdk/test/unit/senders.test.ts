/** Senders of a block's transactions, recovered at once; signed here by ethers. */

import { Transaction as EthersTransaction, getCreateAddress, Wallet } from 'ethers'
import { afterEach, expect, test } from 'vitest'
import {
  getBlock,
  getReceipt,
  getReceipts,
  getTransaction,
  getTransactions,
} from '../../src/entry/blocks.js'
import { proven } from '../../src/entry/node.js'
import { doJob, employ, type Job } from '../../src/proving/engine.js'
import { bodyChain, type Item, item, OTHER, signedItem, TOKEN } from '../support/bodies.js'
import { ASKING, clientOf } from '../support/client.js'
import type { Methods } from '../support/rpc.js'

const wallets = [1, 2, 3].map((key) => new Wallet(`0x${key.toString(16).padStart(64, '0')}`))
const items: Item[] = wallets.map((wallet, i) => {
  const transaction = EthersTransaction.from({
    type: i === 0 ? 0 : 2,
    chainId: 1337,
    nonce: i,
    gasLimit: 21_000,
    to: i === 2 ? null : TOKEN,
    value: 5,
    data: '0x',
    ...(i === 0 ? { gasPrice: 30 } : { maxFeePerGas: 40, maxPriorityFeePerGas: 2 }),
  })
  transaction.signature = wallet.signingKey.sign(transaction.unsignedHash)
  return signedItem(transaction, BigInt(i + 1) * 21_000n)
})
const senders = wallets.map(({ address }) => address.toLowerCase())
const { chain, methods } = bodyChain([[], items, [item(2, 0n, 21_000n, [])]])
const wanted = items[2]?.transaction['hash'] as string
const honest: Methods = {
  ...methods,
  eth_getTransactionByHash: () => ({
    blockHash: chain.at(1).hash,
    blockNumber: '0x1',
    transactionIndex: '0x2',
    from: OTHER,
  }),
}
const client = () => clientOf(chain, [honest], ASKING).client
const made = getCreateAddress({ from: senders[2] ?? '', nonce: 2 }).toLowerCase()

afterEach(() => employ())

test('default: no sender is recovered', async () => {
  const { transactions } = proven(await getTransactions(client(), { at: 1 }))
  expect(transactions.every((each) => !('from' in each))).toBe(true)
  expect(proven(await getReceipt(client(), { hash: wanted }))).not.toHaveProperty('from')
})

test('behavior: those of a block are recovered in one message to the worker', async () => {
  const jobs: Job['kind'][] = []
  employ((job) => {
    jobs.push(job.kind)
    return doJob(job)
  })
  const { transactions } = proven(await getTransactions(client(), { at: 1, senders: true }))
  expect(transactions.map(({ from }) => from)).toEqual(senders)
  expect(jobs.filter((kind) => kind === 'recover')).toHaveLength(1)
})

test('behavior: receipts name senders, and the contract that was made', async () => {
  const { receipts } = proven(await getReceipts(client(), { at: 1, senders: true }))
  expect(receipts.map(({ from }) => from)).toEqual(senders)
  expect(receipts.map(({ contractAddress }) => contractAddress)).toEqual([null, null, made])
  const some = proven(await getReceipts(client(), { at: 1, senders: true, indices: [1] }))
  expect(some.receipts).toEqual([receipts[1]])
})

test('behavior: a transaction and its receipt by hash; what the node says of the sender is nothing', async () => {
  const asked = { hash: wanted, senders: true }
  expect(proven(await getTransaction(client(), asked))).toMatchObject({ from: senders[2] })
  const receipt = proven(await getReceipt(client(), asked))
  expect(receipt).toMatchObject({ from: senders[2], contractAddress: made, blockNumber: 1n })
})

test("behavior: a signature that is nobody's has no sender", async () => {
  const { transactions } = proven(await getTransactions(client(), { at: 2, senders: true }))
  expect(transactions).toHaveLength(1)
  expect(transactions[0]).not.toHaveProperty('from')
  const { receipts } = proven(await getReceipts(client(), { at: 2, senders: true }))
  expect(receipts[0]).not.toHaveProperty('contractAddress')
})

test('behavior: a block with its transactions, and with their senders', async () => {
  const bare = proven(await getBlock(client(), { block: 1 }))
  expect(bare).not.toHaveProperty('transactions')
  const full = proven(await getBlock(client(), { block: 1, transactions: true }))
  expect(full).toMatchObject({ number: 1n, hash: chain.at(1).hash })
  expect(full.transactions?.map(({ hash }) => hash)).toEqual(
    items.map(({ transaction }) => transaction['hash']),
  )
  const sent = await getBlock(client(), { block: 1, transactions: true, senders: true })
  expect(proven(sent).transactions?.map(({ from }) => from)).toEqual(senders)
  expect(sent).toMatchObject({ trust: { proved: ['header', 'transactions'] } })
  const empty = proven(await getBlock(client(), { block: 0, transactions: true }))
  expect(empty.transactions).toEqual([])
  // It is a block as any other.
  expect(proven(await getTransactions(client(), { at: full })).count).toBe(3)
})

test('invalid: a block of which a node hides a transaction', async () => {
  const find = methods['eth_getBlockByHash'] as (...args: unknown[]) => { transactions: unknown[] }
  const lying = (id: string, isFull: boolean) => {
    const block = find(id, isFull)
    return { ...block, transactions: block.transactions.slice(1) }
  }
  const liar = clientOf(chain, [{ ...honest, eth_getBlockByHash: lying }], ASKING).client
  const result = await getBlock(liar, { block: 1, transactions: true })
  expect(result).toMatchObject({ status: 'invalid', error: { code: 'verify.root' } })
  const refused = { code: 'input.option', argument: 'transactions' }
  await expect(getBlock(client(), { transactions: 1 as never })).rejects.toMatchObject(refused)
})

test('error: senders that is no boolean', async () => {
  const asked = { at: 1, hash: wanted, senders: 'yes' }
  const { hash: _, ...ofBlock } = asked
  const { at: __, ...byHash } = asked
  const refused = { code: 'input.option', argument: 'senders' }
  for (const action of [getTransactions, getReceipts]) {
    await expect(action(client(), ofBlock as never)).rejects.toMatchObject(refused)
  }
  for (const action of [getTransaction, getReceipt]) {
    await expect(action(client(), byHash as never)).rejects.toMatchObject(refused)
  }
})
