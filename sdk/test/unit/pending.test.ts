/** The nonce of `pending`: the proven one, raised by what this client sent. */

import { Transaction, Wallet } from 'ethers'
import { recoverAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { getPendingNonce } from '../../src/entry/blocks.js'
import { createProvider, type RecoverAddress } from '../../src/entry/eip1193.js'
import { honest, makeChain, OWNER } from '../support/chain.js'
import { clientOf } from '../support/client.js'

const chain = makeChain(3, 'ethereum')
const wallet = new Wallet(`0x${'2e'.repeat(32)}`)
const stranger = new Wallet(`0x${'3e'.repeat(32)}`)
const recover: RecoverAddress = ({ hash, ...signature }) => recoverAddress({ hash, signature })

const sign = (from: Wallet, nonce: number, type = 2) =>
  from.signTransaction({
    type,
    chainId: chain.chain.chainId,
    nonce,
    to: OWNER,
    value: 1n,
    gasLimit: 21_000n,
    ...(type === 2 ? { maxFeePerGas: 9n, maxPriorityFeePerGas: 1n } : { gasPrice: 9n }),
  })

const providerOf = (options: object = { recoverAddress: recover }) => {
  const node = honest(chain, {
    eth_chainId: () => `0x${chain.chain.chainId.toString(16)}`,
    eth_sendRawTransaction: (raw: string) => Transaction.from(raw).hash,
  })
  const { client, calls } = clientOf(chain, [node])
  const provider = createProvider(client, options)
  const send = (raw: string) =>
    provider.request({ method: 'eth_sendRawTransaction', params: [raw] })
  const count = (address: string, tag = 'pending') =>
    provider.request({ method: 'eth_getTransactionCount', params: [address, tag] })
  return { client, send, count, calls }
}

describe('pending', () => {
  test('default: the proven nonce where nothing was sent; no node is asked for its pool', async () => {
    const { count, calls } = providerOf({})
    expect(await count(OWNER)).toBe('0x1')
    expect(await count(wallet.address)).toBe('0x0')
    expect(calls).not.toContain('eth_getTransactionCount')
  })

  test('behavior: raised by what was sent of every type, without a gap, by the same account', async () => {
    const { send, count } = providerOf()
    for (const [nonce, type] of [0, 1, 2].entries()) await send(await sign(wallet, nonce, type))
    expect(await count(wallet.address)).toBe('0x3')
    expect(await count(wallet.address, 'latest')).toBe('0x0')
    await send(await sign(wallet, 4))
    expect(await count(wallet.address)).toBe('0x3')
    await send(await sign(stranger, 3))
    expect(await count(wallet.address)).toBe('0x3')
    await send(await sign(wallet, 3))
    expect(await count(wallet.address)).toBe('0x5')
    expect(await count(stranger.address)).toBe('0x0')
  })

  test('behavior: the same without a provider; senders are recovered here', async () => {
    const { client, send, calls } = providerOf()
    const { address } = wallet
    expect(await getPendingNonce(client, { address })).toMatchObject({
      status: 'absent',
      value: 0n,
    })
    for (const nonce of [0, 1, 3]) await send(await sign(wallet, nonce))
    await send(await sign(stranger, 2))
    expect(await getPendingNonce(client, { address })).toMatchObject({
      status: 'absent',
      value: 2n,
    })
    const owner = await getPendingNonce(client, { address: OWNER })
    expect(owner).toMatchObject({ status: 'present', value: 1n })
    expect(calls).not.toContain('eth_getTransactionCount')
    await expect(getPendingNonce(client, { address: '0x12' })).rejects.toMatchObject({
      code: 'input.address',
    })
  })

  test('error: senders that cannot be recovered', async () => {
    const { send, count } = providerOf({})
    await send(await sign(wallet, 0))
    await expect(count(wallet.address)).rejects.toMatchObject({
      code: 4200,
      message: expect.stringContaining('recoverAddress'),
    })
    expect(await count(wallet.address, 'latest')).toBe('0x0')
  })
})
