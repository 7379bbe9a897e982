/**
 * Kohaku's provider interface over a live geth: what its own adapter says of the same node, and
 * what it says of a liar.
 */

import type { EthereumProvider } from '@kohaku-eth/provider'
import { raw } from '@kohaku-eth/provider/raw'
import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import '../../src/entry/node.js'
import { evm } from '../../src/entry/evm.js'
import { type KohakuOptions, kohaku } from '../../src/entry/kohaku.js'
import { type DappWorld, startDappWorld } from './support/dapp.js'
import { type Followers, followers } from './support/following.js'
import { Sender } from './support/history.js'
import { rpc } from './support/rpc.js'

let world: DappWorld
let all: Followers
const options = { extensions: [evm()], pollMs: 100 }

/** Theirs, as far as the compiler can tell. */
async function providerOf(
  nodes: readonly string[],
  more: KohakuOptions = {},
): Promise<EthereumProvider> {
  return kohaku(await all.of(nodes), { ...options, ...more })
}

beforeAll(async () => {
  world = await startDappWorld()
  all = followers(world.geth.url)
})
afterAll(async () => {
  all?.stop()
  await world?.stop()
})

const told = (): EthereumProvider => {
  const request = ({ method, params = [] }: { method: string; params?: unknown }) =>
    rpc(world.geth.url, method, params as unknown[])
  return raw({ request } as never)
}

/** What both are asked. */
const QUESTIONS: Record<string, (provider: EthereumProvider) => Promise<unknown>> = {
  chain: (provider) => provider.getChainId(),
  balance: (provider) => provider.getBalance(world.owner),
  code: (provider) => provider.getCode(world.token),
  logs: (provider) => provider.getLogs({ address: world.token, fromBlock: 0n, toBlock: 'latest' }),
  call: (provider) =>
    provider.call({
      to: world.token,
      input: `0x70a08231${world.owner.slice(2).padStart(64, '0')}`,
    }),
  gas: (provider) => provider.estimateGas({ to: world.friend, from: world.owner, value: '0x1' }),
  request: (provider) => provider.request({ method: 'eth_chainId', params: [] }),
}

test.each(Object.entries(QUESTIONS))('behavior: %s is what geth says', async (_, ask) => {
  const { liar, geth } = world
  const provider = await providerOf([liar.url, geth.url])
  expect(await ask(provider)).toEqual(await ask(told()))
})

test('behavior: waits for a transaction, and has its receipt', async () => {
  const provider = await providerOf([world.liar.url, world.geth.url])
  const sender = new Sender(world.geth.url, 2)
  const data = `0xa9059cbb${world.friend.slice(2).padStart(64, '0')}${'7'.padStart(64, '0')}`
  const { block } = await sender.send({ to: world.token, data })
  const { transactions } = (await rpc(world.geth.url, 'eth_getBlockByNumber', [
    `0x${block.toString(16)}`,
    false,
  ])) as { transactions: string[] }
  const [hash = ''] = transactions
  await provider.waitForTransaction(hash)
  const receipt = await provider.getTransactionReceipt(hash)
  expect(receipt).toEqual(await told().getTransactionReceipt(hash))
  expect(receipt?.logs).toHaveLength(1)
  expect(await provider.getBlockNumber()).toBeGreaterThanOrEqual(BigInt(block))
  expect(await provider.getGasPrice()).toBeLessThan(parseEther('1'))
})

test('invalid: the liar alone', async () => {
  const provider = await providerOf([world.liar.url])
  const { chain: _, request: __, ...others } = QUESTIONS
  for (const ask of Object.values(others)) {
    await expect(ask(provider)).rejects.toMatchObject({ code: -32070 })
  }
})

test('behavior: the signal closes the provider, and ends what waits', async () => {
  const stop = new AbortController()
  const provider = await providerOf([world.geth.url], { signal: stop.signal })
  const waiting = provider.waitForTransaction(`0x${'12'.repeat(32)}`)
  stop.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
  await expect(provider.getBlockNumber()).rejects.toMatchObject({ code: 4900 })
})
