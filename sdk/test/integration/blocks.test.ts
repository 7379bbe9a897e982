/** What blocks of a live geth hold, against the node's own answers. */

import { toBeHex } from 'ethers'
import { getBlock, proven } from 'lightproof'
import { getLogs, getReceipts, getTransactions, getWithdrawals } from 'lightproof/blocks'
import { createProvider } from 'lightproof/eip1193'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devClient } from './support/client.js'
import { DEV_CHAIN_ID, faucet } from './support/genesis.js'
import { type Geth, startDevGeth } from './support/geth.js'
import { Sender } from './support/history.js'
import { quantity, rpc } from './support/rpc.js'
import { blobOfZeros } from './support/transactions.js'

/**
 * LOG2 with the first two words of the calldata as topics and a word of zeros as data: 12 bytes
 * behind their deployment.
 */
const LOGGER = '0x600c80600b6000396000f3' + '602035600035602060' + '00a200'
const word = (value: number): string => toBeHex(value, 32)

type Json = Readonly<Record<string, unknown>>

describe.each(['osaka', 'amsterdam'] as const)('%s', (fork) => {
  let geth: Geth
  let contract: string
  let first: number
  let last: number

  beforeAll(async () => {
    geth = await startDevGeth(fork)
    const sender = new Sender(geth.url)
    const made = await sender.send({ data: LOGGER })
    contract = made.contract ?? ''
    first = made.block
    const gas = { gasPrice: 10n ** 10n, maxFeePerGas: null, maxPriorityFeePerGas: null }
    const call = (a: number, b: number) => ({
      to: contract,
      data: word(a) + word(b).slice(2),
      gasLimit: 100_000n,
    })
    await sender.send({ ...call(1, 2), ...gas, type: 0 })
    const accessList = [{ address: contract, storageKeys: [word(1)] }]
    await sender.send({ ...call(1, 3), ...gas, type: 1, accessList })
    await sender.send({ ...call(2, 3), accessList })
    await sender.send({ to: `0x${'7e'.repeat(20)}`, value: 10n ** 18n })
    const authorization = { address: contract, nonce: 99n, chainId: DEV_CHAIN_ID }
    const signed = faucet.authorizeSync(authorization)
    await sender.send({ ...call(1, 2), type: 4, authorizationList: [signed] })
    const blob = { maxFeePerBlobGas: 10n ** 10n, blobWrapperVersion: 1, ...blobOfZeros() }
    const { block } = await sender.send({ ...call(2, 1), type: 3, ...blob })
    last = block
  })
  afterAll(() => geth?.stop())

  /** The node's value of each field that is proven. */
  function expectSame(found: object, printed: Json): void {
    for (const [name, value] of Object.entries(found)) {
      if (name === 'signingHash') continue
      if (name === 'succeeded') expect(printed['status']).toBe(value ? '0x1' : '0x0')
      else if (Array.isArray(value)) expect(value).toHaveLength((printed[name] as []).length)
      else if (typeof value === 'string') expect(printed[name], name).toBe(value)
      else if (value !== null) expect(BigInt(printed[name] as string), name).toBe(BigInt(value))
    }
  }

  test('behavior: transactions and receipts of every block are those that the node prints', async () => {
    const client = await devClient(geth.url, last)
    const types = new Set<number>()
    for (let at = 0; at <= last; at++) {
      const block = (await rpc(geth.url, 'eth_getBlockByNumber', [quantity(at), true])) as {
        readonly transactions: Json[]
        readonly withdrawals: Json[]
      }
      const printed = (await rpc(geth.url, 'eth_getBlockReceipts', [quantity(at)])) as Json[]
      const { transactions, count } = proven(await getTransactions(client, { at }))
      const { receipts } = proven(await getReceipts(client, { at }))
      expect([count, receipts.length]).toEqual([block.transactions.length, printed.length])
      for (const found of transactions) {
        types.add(found.type)
        expectSame(found, block.transactions[found.transactionIndex] ?? {})
      }
      for (const found of receipts) {
        const { logs, ...rest } = found
        const original = printed[found.transactionIndex] ?? {}
        expectSame(rest, original)
        for (const [i, log] of logs.entries()) {
          expectSame(log, (original['logs'] as Json[])[i] ?? {})
        }
      }
      const { withdrawals } = proven(await getWithdrawals(client, { at }))
      expect(withdrawals).toHaveLength(block.withdrawals.length)
    }
    expect([...types].sort()).toEqual([0, 1, 2, 3, 4])
  })

  test.each<[string, object]>([
    ['all', {}],
    ['of the contract', { address: 'contract' }],
    ['by the first topic', { topics: [word(1)] }],
    ['by one of two in the second', { topics: [null, [word(2), word(3)]] }],
    ['of nobody', { address: `0x${'ab'.repeat(20)}` }],
  ])('behavior: logs %s are those that the node finds', async (_, wanted) => {
    const named = 'address' in wanted && wanted.address === 'contract'
    const filter = named ? { ...wanted, address: contract } : wanted
    const client = await devClient(geth.url, last)
    const range = { fromBlock: first, toBlock: last }
    const { logs } = proven(await getLogs(client, { ...range, ...filter }))
    const hex = { fromBlock: quantity(first), toBlock: quantity(last) }
    const printed = (await rpc(geth.url, 'eth_getLogs', [{ ...hex, ...filter }])) as Json[]
    expect(logs).toHaveLength(printed.length)
    for (const [i, found] of logs.entries()) expectSame(found, printed[i] ?? {})
    if (named) expect(logs.length).toBeGreaterThanOrEqual(4)
  })
})

test('behavior: a long range, by the headers that geth serves alone, in batches', async () => {
  const geth = await startDevGeth('osaka')
  try {
    const sender = new Sender(geth.url)
    const payment = { to: `0x${'7e'.repeat(20)}`, value: 1n }
    let last = 0
    while (last < 180) last = (await sender.send(payment)).block
    const methods: string[] = []
    let exchanges = 0
    const counting: typeof fetch = (input, init) => {
      exchanges++
      const asked = JSON.parse(String(init?.body)) as { method: string } | { method: string }[]
      for (const { method } of [asked].flat()) methods.push(method)
      return fetch(input, init)
    }
    const client = await devClient(geth.url, last, geth.url, { fetch: counting })
    const range = { fromBlock: 1, toBlock: last, address: `0x${'ab'.repeat(20)}` }
    expect(proven(await getLogs(client, range))).toMatchObject({ logs: [], fromBlock: 1n })
    const headers = methods.filter((method) => method === 'eth_getHeaderByNumber').length
    const blocks = methods.filter((method) => method === 'eth_getBlockByNumber').length
    // The first exchange finds out that geth serves headers alone.
    expect(blocks).toBe(31)
    expect(headers).toBe(last - 1 - blocks)
    expect(exchanges).toBeLessThanOrEqual(10)
    const { hash } = proven(await getBlock(client, { block: 5 }))
    const provider = createProvider(client)
    for (const [method, id] of [
      ['eth_getHeaderByNumber', '0x5'],
      ['eth_getHeaderByHash', hash],
    ] as const) {
      expect(await provider.request({ method, params: [id] })).toEqual(
        await rpc(geth.url, method, [id]),
      )
    }
  } finally {
    await geth.stop()
  }
})
