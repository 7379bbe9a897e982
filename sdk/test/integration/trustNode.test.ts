/**
 * A live development node of geth, trusted for its newest block: the guide's client, and programs of
 * ethers and viem over it, which send transactions and wait for them.
 */

import { createClient, getBalance, proven } from 'lightproof'
import { chainOf, trustNode } from 'lightproof/dev'
import { LightproofProvider } from 'lightproof/ethers'
import { lightproof } from 'lightproof/viem'
import { createPublicClient } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { faucet } from './support/genesis.js'
import { type Geth, startDevGeth } from './support/geth.js'

const FRIEND = `0x${'f1'.repeat(20)}` as const

let geth: Geth

beforeAll(async () => {
  geth = await startDevGeth('osaka', { history: 'recent', period: 1 })
})
afterAll(() => geth?.stop())

const clientOf = async () =>
  createClient({ chain: await chainOf(geth.url), anchor: trustNode(geth.url), nodes: [geth.url] })

test('default: what was just mined is seen, through ethers, viem and the actions', async () => {
  const client = await clientOf()
  expect(await getBalance(client, { address: FRIEND })).toMatchObject({
    status: 'absent',
    trust: { finality: 'claimed', anchor: { kind: 'node', node: geth.url } },
  })
  const provider = new LightproofProvider(client, { pollMs: 200 })
  const wallet = faucet.connect(provider)
  const blocks: number[] = []
  let last = 0
  await provider.on('block', (number: number) => void blocks.push(number))
  for (const value of [5n, 7n]) {
    const nonce = await provider.getTransactionCount(wallet.address, 'pending')
    const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n, gasLimit: 21_000n }
    const sent = await wallet.sendTransaction({ to: FRIEND, value, nonce, ...fees })
    const receipt = await sent.wait()
    expect(receipt).toMatchObject({ status: 1, hash: sent.hash })
    last = receipt?.blockNumber ?? 0
    const viem = createPublicClient({ transport: lightproof(client), pollingInterval: 200 })
    const waited = await viem.waitForTransactionReceipt({ hash: sent.hash as `0x${string}` })
    expect(waited).toMatchObject({ status: 'success', blockNumber: BigInt(last) })
    expect(await viem.getBalance({ address: FRIEND })).toBe(await provider.getBalance(FRIEND))
  }
  expect(proven(await getBalance(client, { address: FRIEND }))).toBe(12n)
  // The provider polls: a receipt may be there before the event of its block.
  await vi.waitUntil(() => blocks.includes(last), { timeout: 30_000 })
  provider.destroy()
})
