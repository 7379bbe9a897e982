import type { EIP1193Provider } from 'viem'
import { createWalletClient, custom } from 'viem'
import { expectTypeOf, test } from 'vitest'
import type { Hex } from '../encoding/hex.js'
import type { Provider, RpcLog, RpcReceipt } from './eip1193.js'

declare const provider: Provider

test('the provider is one of viem’s type', () => {
  const ethereum: EIP1193Provider = provider
  void (() => createWalletClient({ transport: custom(ethereum) }))
})

test('events are typed by their names', () => {
  provider.on('chainChanged', (chainId) => expectTypeOf(chainId).toEqualTypeOf<Hex>())
  provider.on('message', ({ type }) => expectTypeOf(type).toEqualTypeOf<string>())
  // @ts-expect-error: no such event.
  provider.on('block', () => undefined)
})

test('a request is typed by its method', () => {
  void (async () => {
    const balance = await provider.request({ method: 'eth_getBalance', params: ['0x', 'latest'] })
    expectTypeOf(balance).toEqualTypeOf<Hex>()
    const logs = await provider.request({ method: 'eth_getLogs', params: [{}] })
    expectTypeOf(logs).toEqualTypeOf<readonly RpcLog[]>()
    const receipt = await provider.request({ method: 'eth_getTransactionReceipt', params: ['0x'] })
    expectTypeOf(receipt).toEqualTypeOf<RpcReceipt | null>()
    expectTypeOf(await provider.request({ method: 'eth_syncing' })).toEqualTypeOf<false>()
    // Of others nothing is known, unless the caller says it.
    expectTypeOf(await provider.request({ method: 'debug_traceCall' })).toEqualTypeOf<unknown>()
    const method: string = 'eth_getBalance'
    expectTypeOf(await provider.request({ method })).toEqualTypeOf<unknown>()
    // @ts-expect-error: a method is needed.
    provider.request({ params: [] })
  })
})
