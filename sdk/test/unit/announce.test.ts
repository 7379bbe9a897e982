/** A wallet's provider in a page: announced as EIP-6963 has it, with a signer in front. */

import { describe, expect, test, vi } from 'vitest'
import {
  announceProvider,
  createProvider,
  ProviderRpcError,
  withSigner,
} from '../../src/entry/eip1193.js'
import { honest, makeChain, OWNER } from '../support/chain.js'
import { clientOf } from '../support/client.js'

const chain = makeChain(4)
const providerOf = () => {
  const { client, calls } = clientOf(chain, [honest(chain)])
  return { provider: createProvider(client), calls }
}
const info = {
  name: 'Wallet',
  rdns: 'org.example.wallet',
  icon: 'data:image/svg+xml;base64,PHN2Zy8+',
  uuid: '350670db-19fa-4704-a166-e52e178b59d2',
}

interface Detail {
  readonly info: typeof info
  readonly provider: { request(call: { method: string }): Promise<unknown> }
}

/** A page, and what a dapp in it hears. */
function pageOf() {
  const page = new EventTarget()
  const heard: Detail[] = []
  page.addEventListener('eip6963:announceProvider', (event) => {
    heard.push((event as CustomEvent<Detail>).detail)
  })
  const ask = (event = new Event('eip6963:requestProvider')) => page.dispatchEvent(event)
  return { page, heard, ask }
}

describe('announceProvider', () => {
  test('behavior: at once, and to every dapp that asks, until it is stopped', async () => {
    const { page, heard, ask } = pageOf()
    const { provider } = providerOf()
    const stop = announceProvider(provider, info, { target: page })
    expect(heard.map((detail) => detail.info)).toEqual([info])
    ask()
    expect(heard).toHaveLength(2)
    const answer = await heard[1]?.provider.request({ method: 'eth_chainId' })
    expect(answer).toBe('0x4c50')
    stop()
    ask()
    expect(heard).toHaveLength(2)
    provider.close()
  })

  test('behavior: dapps can neither close the provider nor change what others are given', () => {
    const { page, heard, ask } = pageOf()
    announceProvider(providerOf().provider, info, { target: page })
    const [detail] = heard
    expect(Object.keys(detail?.provider ?? {}).sort()).toEqual(['on', 'removeListener', 'request'])
    for (const part of [detail, detail?.info, detail?.provider]) {
      expect(Object.isFrozen(part)).toBe(true)
    }
    ask(new CustomEvent('eip6963:requestProvider', { detail: { info: { name: 'Other' } } }))
    expect(heard[1]?.info).toEqual(info)
  })

  test('default: a UUID of version 4, another for each', () => {
    const { page, heard } = pageOf()
    const { uuid: _, ...rest } = info
    announceProvider(providerOf().provider, rest, { target: page })
    announceProvider(providerOf().provider, rest, { target: page })
    const uuids = heard.map((detail) => detail.info.uuid)
    expect(new Set(uuids).size).toBe(2)
    for (const uuid of uuids) expect(uuid).toMatch(/^[0-9a-f-]{14}4[0-9a-f-]{4}[89ab]/)
  })

  test.each([
    ['info.name', { name: '' }],
    ['info.name', { name: 'Meta\u202eksaM' }],
    ['info.name', { name: 'x'.repeat(65) }],
    ['info.rdns', { rdns: 'wallet' }],
    ['info.rdns', { rdns: 'https://wallet.example' }],
    ['info.icon', { icon: 'https://tracker.example/icon.png' }],
    ['info.icon', { icon: 'data:text/html,<script>' }],
    ['info.icon', { icon: `data:image/png,${'A'.repeat(300_000)}` }],
    ['info.uuid', { uuid: '1' }],
    ['walletName', { walletName: 'x' }],
  ])('error: %s of %j', (argument, change) => {
    const { page, heard } = pageOf()
    const announce = () =>
      announceProvider(providerOf().provider, { ...info, ...change }, { target: page })
    expect(announce).toThrow(expect.objectContaining({ name: 'InputError', argument }))
    expect(heard).toEqual([])
  })

  test('error: where there is no window, and what is no provider', () => {
    const { provider } = providerOf()
    expect(() => announceProvider(provider, info)).toThrow(/window/)
    const { page } = pageOf()
    expect(() => announceProvider({} as never, info, { target: page })).toThrow(/createProvider/)
  })
})

describe('withSigner', () => {
  const signed = [
    'eth_accounts',
    'eth_requestAccounts',
    'eth_coinbase',
    'eth_sendTransaction',
    'eth_sign',
    'eth_signTransaction',
    'eth_signTypedData_v4',
    'eth_decrypt',
    'personal_sign',
    'wallet_requestPermissions',
    'wallet_addEthereumChain',
    'wallet_sendCalls',
  ]
  const walletOf = () => {
    const { provider, calls } = providerOf()
    const request = vi.fn(async ({ method }: { method: string }): Promise<unknown> => method)
    return { wallet: withSigner(provider, { request }), request, calls }
  }

  test.each(signed)('behavior: %s goes to the signer, and to no node', async (method) => {
    const { wallet, request, calls } = walletOf()
    expect(await wallet.request({ method, params: [1] })).toBe(method)
    expect(request).toHaveBeenCalledWith({ method, params: [1] })
    expect(calls).toEqual([])
  })

  test.each(['eth_getBalance', 'eth_chainId', 'eth_sendRawTransaction', 'eth_call'])(
    'behavior: %s goes to the provider',
    async (method) => {
      const { wallet, request } = walletOf()
      await wallet.request({ method, params: [OWNER] }).catch(() => undefined)
      expect(request).not.toHaveBeenCalled()
    },
  )

  test('behavior: which chain is asked is the provider to say', async () => {
    const { wallet, request } = walletOf()
    const params = [{ chainId: '0x1' }]
    const change = wallet.request({ method: 'wallet_switchEthereumChain', params })
    await expect(change).rejects.toMatchObject({ code: 4902 })
    expect(request).not.toHaveBeenCalled()
  })

  test('error: what the signer throws reaches the dapp as it is', async () => {
    const no = Object.assign(new Error('no'), { code: 4001 })
    const wallet = withSigner(providerOf().provider, { request: () => Promise.reject(no) })
    await expect(wallet.request({ method: 'personal_sign' })).rejects.toBe(no)
  })

  test('behavior: a request that names one method when it is looked at, and another when it is sent', async () => {
    const { wallet, request, calls } = walletOf()
    let reads = 0
    const shifty = {
      get method() {
        return reads++ === 0 ? 'eth_chainId' : 'eth_sendTransaction'
      },
    }
    expect(await wallet.request(shifty)).toBe('0x4c50')
    expect(request).not.toHaveBeenCalled()
    expect(calls).toEqual([])
  })

  test('behavior: accounts that change are the signer to tell; all else is the provider to', () => {
    const { provider } = providerOf()
    const [on, removeListener] = [vi.fn(), vi.fn()]
    const wallet = withSigner(provider, { request: async () => null, on, removeListener })
    const listener = () => undefined
    wallet.on('accountsChanged', listener)
    wallet.removeListener('accountsChanged', listener)
    wallet.on('disconnect', listener)
    expect(on.mock.calls).toEqual([['accountsChanged', listener]])
    expect(removeListener.mock.calls).toEqual([['accountsChanged', listener]])
    expect(wallet.methods.map(({ method }) => method)).not.toContain('eth_accounts')
  })

  test('error: a signer that cannot be asked; a wallet that was closed', async () => {
    const { provider } = providerOf()
    expect(() => withSigner(provider, {} as never)).toThrow(/signer/)
    const { wallet } = walletOf()
    wallet.close()
    await expect(wallet.request({ method: 'eth_chainId' })).rejects.toBeInstanceOf(ProviderRpcError)
  })
})
