/** A pinned block stays the newest one: nobody waits for another in vain. */

import { createPublicClient } from 'viem'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { waitForTransaction, watchBlocks } from '../../src/entry/blocks.js'
import { createProvider } from '../../src/entry/eip1193.js'
import { LightproofProvider } from '../../src/entry/ethers.js'
import { lightproof } from '../../src/entry/viem.js'
import { isFinal } from '../../src/result/final.js'
import { honest, makeChain, OWNER } from '../support/chain.js'
import { clientOf } from '../support/client.js'

const chain = makeChain(3, 'ethereum')
const HASH = `0x${'5e'.repeat(32)}` as const
const NO_HEADS = /a pinned block has no newer heads: give the client a checkpoint/

const pinned = () =>
  clientOf(chain, [
    honest(chain, { eth_getTransactionReceipt: () => null, eth_getTransactionByHash: () => null }),
  ]).client

afterEach(() => {
  vi.restoreAllMocks()
})

test('default: the provider says so once, by an event and in the console', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const heard: unknown[] = []
  for (let i = 0; i < 2; i++) {
    const provider = createProvider(pinned())
    provider.on('message', (message) => heard.push(message))
    for (let times = 0; times < 3; times++) await provider.request({ method: 'eth_blockNumber' })
  }
  await new Promise((resolve) => setTimeout(resolve))
  const warning = {
    type: 'lightproof_warning',
    data: { code: 'pinned', message: expect.stringMatching(NO_HEADS) },
  }
  expect(heard).toEqual([warning, warning])
  expect(warn.mock.calls).toEqual([[expect.stringMatching(NO_HEADS)]])
})

describe('who waits hears at once why that is in vain', () => {
  test.each(['newHeads', 'logs'])('default: eth_subscribe to %s', async (kind) => {
    const asked = createProvider(pinned()).request({ method: 'eth_subscribe', params: [kind] })
    await expect(asked).rejects.toMatchObject({
      code: 4200,
      message: expect.stringMatching(NO_HEADS),
    })
  })

  test.each(['eth_getTransactionReceipt', 'eth_getTransactionByHash'])(
    'default: %s',
    async (method) => {
      const error = await createProvider(pinned())
        .request({ method, params: [HASH] })
        .catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 4200, message: expect.stringMatching(NO_HEADS) })
      expect(isFinal(error)).toBe(true)
    },
  )

  test.each(['block', HASH, { address: OWNER }, 'pending'])(
    'default: ethers’ on(%j)',
    async (event) => {
      const provider = new LightproofProvider(pinned())
      await expect(provider.on(event, () => undefined)).rejects.toThrow(NO_HEADS)
      await expect(provider.once(event, () => undefined)).rejects.toThrow(NO_HEADS)
      provider.destroy()
    },
  )

  test('default: ethers’ waitForTransaction', async () => {
    const provider = new LightproofProvider(pinned())
    await expect(provider.waitForTransaction(HASH)).rejects.toThrow(NO_HEADS)
    provider.destroy()
  })

  test('default: viem’s waitForTransactionReceipt', async () => {
    const client = createPublicClient({ transport: lightproof(pinned()) })
    const waiting = client.waitForTransactionReceipt({ hash: HASH, retryCount: 0 })
    await expect(waiting).rejects.toThrow(NO_HEADS)
  })

  test('default: actions', async () => {
    await expect(waitForTransaction(pinned(), { hash: HASH })).rejects.toThrow(NO_HEADS)
    expect(() => watchBlocks(pinned())).toThrow(NO_HEADS)
  })
})

test('behavior: a node that cannot be reached is asked again', async () => {
  const { client } = clientOf(chain, [honest(chain)])
  const stop = new AbortController()
  const told: string[] = []
  const away = { ...client, nodes: clientOf(chain, [{}], { fetch: fail }).client.nodes }
  const waiting = waitForTransaction(away, {
    hash: HASH,
    pollMs: 10,
    signal: stop.signal,
    onError: ({ code }) => {
      told.push(code)
      if (told.length === 3) stop.abort()
    },
  })
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
  expect(told).toEqual(['unreachable', 'unreachable', 'unreachable'])
})

async function fail(): Promise<never> {
  throw new TypeError('fetch failed')
}
