/** Transactions that another one replaces, and blocks that become final, over a live geth. */

import { Transaction, type TransactionRequest, toBeHex, Wallet } from 'ethers'
import { createPublicClient } from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  ReplacedError,
  sendRawTransaction,
  type WaitParameters,
  waitForTransaction,
} from '../../src/entry/blocks.js'
import { LightproofProvider } from '../../src/entry/ethers.js'
import { recoverAddress } from '../../src/entry/evm.js'
import { type Client, proven } from '../../src/entry/node.js'
import { lightproof } from '../../src/entry/viem.js'
import { type Followers, followers, viemDev } from './support/following.js'
import { DEV_CHAIN_ID, FAUCET_KEY, faucet } from './support/genesis.js'
import { type Geth, startDevGeth } from './support/geth.js'
import { Sender } from './support/history.js'
import { isRecord, replaceAt } from './support/json.js'
import { type LyingNode, startProxy } from './support/proxy.js'
import { rpc } from './support/rpc.js'

type Hex = `0x${string}`
const FAST = { pollMs: 100 }
const to = `0x${'7e'.repeat(20)}`

let geth: Geth
let all: Followers
/** Takes transactions and never passes them on; else as it is told. */
let node: LyingNode

beforeAll(async () => {
  geth = await startDevGeth('osaka')
  // A chain that has just started can miss its first transaction: this one is sent again then.
  await new Sender(geth.url).send({ to, value: 1n })
  all = followers(geth.url)
  node = await startProxy(geth.url)
  node.swallow = (method, [raw]) =>
    method === 'eth_sendRawTransaction' ? Transaction.from(String(raw)).hash : undefined
})
afterAll(async () => {
  all?.stop()
  await node?.close()
  await geth?.stop()
})

const count = async (): Promise<number> =>
  Number(await rpc(geth.url, 'eth_getTransactionCount', [faucet.address, 'latest']))

const sign = async (nonce: number, request: TransactionRequest = {}) => {
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n }
  const given = { type: 2, chainId: DEV_CHAIN_ID, nonce, to, gasLimit: 21_000n, ...fees }
  const raw = await faucet.signTransaction({ ...given, ...request })
  return { raw, hash: Transaction.from(raw).hash ?? '' }
}
/** Into a block. */
const mine = (raw: string) => rpc(geth.url, 'eth_sendRawTransactionSync', [raw])
const mineMore = async (): Promise<void> => {
  await mine((await sign(await count())).raw)
}

/** An error that was heard, or the outcome. */
async function outcomeOf(client: Client, parameters: Omit<WaitParameters, 'signal' | 'pollMs'>) {
  const stop = new AbortController()
  const onError = ({ code }: { code: string }): void => {
    if (code !== 'block') stop.abort(code)
  }
  const options = { ...parameters, ...FAST, onError, signal: stop.signal }
  return waitForTransaction(client, options).catch((reason: unknown) => reason)
}

describe('the SDK', () => {
  test('behavior: what this client sent is replaced by another, from a block before the wait or after', async () => {
    for (const isBefore of [true, false]) {
      const client = await all.of([node.url, geth.url])
      const nonce = await count()
      const lost = await sign(nonce, { value: 1n })
      await sendRawTransaction(client, { raw: lost.raw, nodes: [client.nodes[0]?.name ?? ''] })
      const other = await sign(nonce, { value: 2n })
      if (isBefore) {
        await mine(other.raw)
        for (let i = 0; i < 5; i++) await mineMore()
      }
      const waiting = waitForTransaction(client, { hash: lost.hash, recoverAddress, ...FAST })
      if (!isBefore) await mine(other.raw)
      const result = await waiting
      expect(result).toMatchObject({
        status: 'replaced',
        error: { code: 'replaced', by: { hash: other.hash, value: 2n } },
        trust: { proved: expect.arrayContaining(['header']) },
      })
      expect(() => proven(result)).toThrow(ReplacedError)
    }
  })

  test('behavior: by sender and nonce, whoever sent it; without recovery the other one has no name', async () => {
    const client = await all.of([geth.url])
    const nonce = await count()
    const lost = await sign(nonce, { value: 1n })
    const named = { hash: lost.hash, sender: faucet.address, nonce }
    const waiting = outcomeOf(client, named)
    await mine((await sign(nonce, { value: 3n })).raw)
    expect(await waiting).toMatchObject({ status: 'replaced', error: { by: undefined } })
  })

  test('behavior: one that all nodes hide is found by its nonce', async () => {
    const nonce = await count()
    const { raw, hash } = await sign(nonce)
    const client = await all.of([node.url])
    node.tamper = (method, result) => (method === 'eth_getTransactionByHash' ? null : result)
    await mine(raw)
    await mineMore()
    const result = await outcomeOf(client, { hash, sender: faucet.address, nonce })
    expect(result).toMatchObject({ status: 'present', value: { transactionHash: hash, to } })
    node.tamper = (_, result) => result
  })

  test.each<[string, LyingNode['tamper'], string]>([
    [
      'a list without it',
      (method, result) =>
        method === 'eth_getBlockByHash' && isRecord(result)
          ? { ...result, transactions: [] }
          : result,
      'verify.root',
    ],
    [
      'a nonce that is too high',
      (method, result) =>
        method === 'eth_getProof' ? replaceAt(result, ['nonce'], () => '0xffff') : result,
      'verify.claim',
    ],
  ])(
    'invalid: %s: no node makes a transaction that landed pass for replaced',
    async (_, lie, code) => {
      const nonce = await count()
      const { raw, hash } = await sign(nonce)
      const client = await all.of([node.url], { cacheBytes: 0 })
      node.tamper = (method, result) =>
        method === 'eth_getTransactionByHash' ? null : lie(method, result)
      await mine(raw)
      expect(await outcomeOf(client, { hash, sender: faucet.address, nonce })).toBe(code)
      node.tamper = (_, result) => result
    },
  )

  test('behavior: a nonce that is not used yet makes it wait', async () => {
    const client = await all.of([geth.url])
    const nonce = (await count()) + 5
    const { hash } = await sign(nonce)
    const stop = new AbortController()
    const heard = vi.fn(() => void (heard.mock.calls.length > 2 && stop.abort(new Error('left'))))
    const waiting = waitForTransaction(client, {
      hash,
      sender: faucet.address,
      nonce,
      ...FAST,
      signal: stop.signal,
      onError: heard,
    })
    await expect(waiting).rejects.toThrow('left')
  })

  test('behavior: until it is final', async () => {
    const client = await all.of([geth.url])
    const { raw, hash } = await sign(await count())
    await mine(raw)
    let isDone = false
    const waiting = waitForTransaction(client, { hash, until: 'final', ...FAST }).finally(() => {
      isDone = true
    })
    const signed = await waitForTransaction(client, { hash, ...FAST })
    expect(isDone).toBe(false)
    while (!isDone) {
      await mineMore()
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    const result = await waiting
    expect(result).toMatchObject({ status: 'present', value: { transactionHash: hash } })
    const depth = result.status === 'present' ? result.value.confirmations : 0
    expect(depth).toBeGreaterThan(signed.status === 'present' ? signed.value.confirmations : 0)
    expect(depth).toBeGreaterThan(3)
  })
})

describe('libraries', () => {
  test('behavior: viem tells of the replacement, and ends with its receipt', async () => {
    const client = await all.of([node.url, geth.url])
    const asked: string[] = []
    const onAnswer = ({ method }: { method: string }): void => void asked.push(method)
    const transport = lightproof(client, { ...FAST, onAnswer })
    const viem = createPublicClient({ chain: viemDev, transport, pollingInterval: 100 })
    const nonce = await count()
    const lost = await sign(nonce, { value: 1n })
    await viem.sendRawTransaction({ serializedTransaction: lost.raw as Hex })
    const pending = await viem.getTransaction({ hash: lost.hash as Hex })
    expect(pending).toMatchObject({ blockHash: null, nonce, value: 1n })
    const other = await sign(nonce, { value: 4n })
    const onReplaced = vi.fn()
    asked.length = 0
    const waiting = viem.waitForTransactionReceipt({ hash: lost.hash as Hex, onReplaced })
    // viem has to know the transaction before it is replaced, and looks for another one block by
    // block from then on.
    await vi.waitFor(() => expect(asked).toContain('eth_getBlockByNumber'), 60_000)
    await mine(other.raw)
    expect(await waiting).toMatchObject({ transactionHash: other.hash, status: 'success' })
    expect(onReplaced).toHaveBeenCalledWith(
      expect.objectContaining({
        reason: 'replaced',
        transaction: expect.objectContaining({ hash: other.hash }),
      }),
    )
  })

  test('behavior: ethers throws that it was replaced', async () => {
    const provider = new LightproofProvider(await all.of([node.url, geth.url]), FAST)
    const nonce = await count()
    const signer = new Wallet(FAUCET_KEY, provider)
    const sent = await signer.sendTransaction({ to, value: 1n, nonce, gasLimit: 21_000n })
    let isDone = false
    const outcome = sent
      .wait(1)
      .then(
        () => 'mined',
        (error: unknown) => error,
      )
      .finally(() => {
        isDone = true
      })
    const other = await sign(nonce, { value: 5n })
    await mine(other.raw)
    // ethers looks when a block comes, and misses those that come while it looks.
    while (!isDone) {
      await mineMore()
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    expect(await outcome).toMatchObject({
      code: 'TRANSACTION_REPLACED',
      replacement: { hash: other.hash },
    })
    provider.pause()
  })
})

test.each<[object, string]>([
  [{ until: 'soon' }, 'until'],
  [{ sender: 'me' }, 'sender'],
  [{ nonce: 1 }, 'sender'],
  [{ sender: to }, 'nonce'],
  [{ sender: to, nonce: -1 }, 'nonce'],
  [{ recoverAddress: 7 }, 'recoverAddress'],
])('error: %j', async (wrong, argument) => {
  const client = await all.of([geth.url])
  const work = waitForTransaction(client, { hash: toBeHex(1, 32), ...wrong })
  await expect(work).rejects.toMatchObject({ name: 'InputError', argument })
})
