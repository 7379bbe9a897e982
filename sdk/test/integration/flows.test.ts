/**
 * Whole flows of viem and ethers over the provider beside a live geth: read, write, wait, watch.
 */

import { Contract, toBeHex, Wallet } from 'ethers'
import { createPublicClient, createWalletClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sendRawTransaction, waitForTransaction, watchLogs } from '../../src/entry/blocks.js'
import { LightproofProvider } from '../../src/entry/ethers.js'
import '../../src/entry/node.js'
import type { Client } from '../../src/entry/node.js'
import { lightproof } from '../../src/entry/viem.js'
import { type Followers, followers, viemDev } from './support/following.js'
import { DEV_CHAIN_ID, faucet } from './support/genesis.js'
import { type Geth, startDevGeth } from './support/geth.js'
import { isRecord } from './support/json.js'
import { type LyingNode, startProxy } from './support/proxy.js'
import { blockJson, rpc } from './support/rpc.js'

let geth: Geth
let proxy: LyingNode

/**
 * LOG2 with the first two words of the calldata as topics and a word of zeros as data: 12 bytes
 * behind their deployment.
 */
const INIT = '0x600c80600b6000396000f360203560003560206000a200'
const word = (value: number): `0x${string}` => toBeHex(value, 32) as `0x${string}`
const FAST = { pollingInterval: 100 }
const gas = 100_000n
const chain = viemDev
let all: Followers
const following = (...nodes: readonly string[]): Promise<Client> => all.of(nodes)

beforeAll(async () => {
  geth = await startDevGeth('osaka', { period: 1 })
  all = followers(geth.url)
  proxy = await startProxy(geth.url)
})
afterAll(async () => {
  all?.stop()
  await proxy?.close()
  await geth?.stop()
})

/** Drops every transaction and receipt of blocks. */
const lie: LyingNode['tamper'] = (method, result) => {
  if (method === 'eth_getBlockReceipts') return []
  if (method === 'eth_getBlockByHash' && isRecord(result)) return { ...result, transactions: [] }
  return result
}

describe.each([
  ['an honest node', false],
  ['a lying node beside an honest one', true],
])('%s', (_, isBeside) => {
  const nodes = () => (isBeside ? [proxy.url, geth.url] : [geth.url])
  beforeAll(() => {
    proxy.tamper = lie
  })

  test('behavior: viem deploys, writes, waits, watches and reads', async () => {
    const client = await following(...nodes())
    const transport = lightproof(client, { pollMs: 100 })
    const reader = createPublicClient({ chain, transport, ...FAST })
    const account = privateKeyToAccount(faucet.privateKey as `0x${string}`)
    const writer = createWalletClient({ chain, transport, account, ...FAST })
    const deployed = await writer.deployContract({ abi: [], bytecode: INIT, gas })
    const made = await reader.waitForTransactionReceipt({ hash: deployed })
    expect(made).toMatchObject({ status: 'success', from: faucet.address.toLowerCase() })
    const address = made.contractAddress
    if (!address) throw new Error('the receipt names no contract')
    expect((await reader.getCode({ address }))?.length).toBeGreaterThan(2)

    const heard: unknown[] = []
    const stopLogs = reader.watchEvent({ address, onLogs: (logs) => heard.push(...logs) })
    const blocks: (bigint | null)[] = []
    const stopBlocks = reader.watchBlocks({
      emitOnBegin: true,
      onBlock: ({ number }) => blocks.push(number),
    })
    // The first block that is heard says that the watches have begun.
    await vi.waitFor(() => expect(blocks.length).toBeGreaterThan(0), 60_000)
    await vi.waitFor(
      async () => {
        const data = `${word(1)}${word(2).slice(2)}` as `0x${string}`
        const hash = await writer.sendTransaction({ to: address, data, gas })
        const receipt = await reader.waitForTransactionReceipt({ hash, confirmations: 1 })
        expect(receipt.logs).toMatchObject([{ address, topics: [word(1), word(2)] }])
        const transaction = await reader.getTransaction({ hash })
        expect(transaction).toMatchObject({ hash, to: address, type: 'eip1559' })
        expect(transaction.from.toLowerCase()).toBe(faucet.address.toLowerCase())
        const block = await reader.getBlock({ blockHash: receipt.blockHash })
        expect(block.transactions).toEqual([hash])
        expect(heard.length).toBeGreaterThan(0)
      },
      { timeout: 120_000, interval: 500 },
    )
    stopLogs()
    stopBlocks()
    const range = { fromBlock: made.blockNumber, toBlock: 'latest' } as const
    const logs = await reader.getLogs({ address, ...range })
    expect(logs.length).toBeGreaterThan(0)
    expect(heard[0]).toMatchObject({ address, topics: [word(1), word(2)] })
    expect(
      await reader.getTransactionCount({ address: account.address, blockTag: 'pending' }),
    ).toBe(Number(await rpc(geth.url, 'eth_getTransactionCount', [account.address, 'pending'])))
    const fees = await reader.estimateFeesPerGas()
    expect(fees.maxFeePerGas).toBeGreaterThan(0n)
    const history = await reader.getFeeHistory({ blockCount: 2, rewardPercentiles: [50] })
    expect(history.reward).toHaveLength(2)
  })

  test('behavior: ethers writes, waits and reads', async () => {
    const provider = new LightproofProvider(await following(...nodes()), { pollMs: 100 })
    const signer = new Wallet(faucet.privateKey, provider)
    const sent = await signer.sendTransaction({ data: INIT, gasLimit: gas })
    const made = await sent.wait(1, 120_000)
    const address = made?.contractAddress ?? ''
    expect(made).toMatchObject({ status: 1, from: faucet.address })
    const contract = new Contract(address, ['event Seen(uint256 indexed)'], provider)
    expect(await contract.getDeployedCode()).not.toBe(null)
    const data = word(3) + word(4).slice(2)
    const call = await signer.sendTransaction({ to: address, data, gasLimit: gas })
    const receipt = await call.wait(1, 120_000)
    expect(receipt?.logs).toMatchObject([{ address, topics: [word(3), word(4)] }])
    const block = await provider.getBlock(receipt?.blockHash ?? '', true)
    expect(block?.prefetchedTransactions).toMatchObject([{ hash: call.hash, from: faucet.address }])
    const logs = await provider.getLogs({ address, fromBlock: made?.blockNumber ?? 0 })
    expect(logs).toHaveLength(1)
    expect((await provider.getFeeData()).maxFeePerGas).toBeGreaterThan(0n)
    provider.pause()
  })

  test('behavior: the SDK sends, waits and watches', async () => {
    const client = await following(...nodes())
    const nonce = Number(await rpc(geth.url, 'eth_getTransactionCount', [faucet.address, 'latest']))
    const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n }
    const base = { type: 2, chainId: DEV_CHAIN_ID, ...fees }
    const raw = await faucet.signTransaction({ ...base, nonce, data: INIT, gasLimit: gas })
    const { hash, isTaken } = await sendRawTransaction(client, { raw })
    expect(isTaken).toBe(true)
    const made = await waitForTransaction(client, { hash, pollMs: 100 })
    expect(made).toMatchObject({ status: 'present', value: { succeeded: true, to: null } })
    const stop = new AbortController()
    const news = watchLogs(client, { topics: [word(5)], pollMs: 100, signal: stop.signal })
    const first = news.next()
    const receipts = await rpc(geth.url, 'eth_getTransactionReceipt', [hash])
    const to = isRecord(receipts) ? String(receipts['contractAddress']) : ''
    const data = word(5) + word(6).slice(2)
    // The watch starts from the head of its first look: a log before that is none of its own.
    let told = false
    first.then(
      () => {
        told = true
      },
      () => undefined,
    )
    for (let next = nonce + 1; !told; next++) {
      const input = { ...base, nonce: next, to, data, gasLimit: gas }
      const call = await faucet.signTransaction(input)
      const { hash: sent } = await sendRawTransaction(client, { raw: call })
      await waitForTransaction(client, { hash: sent, pollMs: 100 })
    }
    expect((await first).value).toMatchObject({ topics: [word(5), word(6)], removed: false })
    stop.abort(new Error('enough'))
    // What was found already comes before.
    const rest = async () => {
      while (true) await news.next()
    }
    await expect(rest()).rejects.toThrow('enough')
  })
})

/** Of an empty block the liar has nothing to drop. */
async function firstWithTransaction(): Promise<number> {
  for (let number = 1; ; number++) {
    const { transactions } = await blockJson(geth.url, number)
    if (Array.isArray(transactions) && transactions.length > 0) return number
  }
}

test('error: the liar alone is named, with a code', async () => {
  proxy.tamper = lie
  const client = await following(proxy.url)
  const reader = createPublicClient({ chain, transport: lightproof(client) })
  const data = { code: 'verify.root', node: proxy.url }
  const cause = { code: -32070, data }
  const number = await firstWithTransaction()
  const block = reader.getBlock({ blockNumber: BigInt(number) })
  await expect(block).rejects.toMatchObject({ cause })
  const logs = reader.getLogs({ fromBlock: BigInt(number), toBlock: 'latest' })
  await expect(logs).rejects.toMatchObject({ cause })
  const provider = new LightproofProvider(await following(proxy.url))
  await expect(provider.getBlock(number)).rejects.toMatchObject(cause)
  provider.destroy()
})
