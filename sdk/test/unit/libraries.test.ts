/** viem and ethers over scripted nodes: what they make of proven blocks, and chains that do not match. */

import { createPublicClient } from 'viem'
import { mainnet } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { LightproofProvider } from '../../src/entry/ethers.js'
import { lightproof } from '../../src/entry/viem.js'
import { honest, makeChain } from '../support/chain.js'
import { clientOf } from '../support/client.js'

const empty = makeChain(4, 'ethereum')
const full = makeChain(4, 'ethereum', undefined, `0x${'77'.repeat(32)}`)
const UNPROVEN = 'the header proves no list of transactions'
const clientFor = (chain: typeof empty) => clientOf(chain, [honest(chain)]).client

describe('viem', () => {
  const viemOf = (chain: typeof empty) =>
    createPublicClient({ transport: lightproof(clientFor(chain)) })

  test('behavior: a block with transactions does not pretend to have none', async () => {
    const block = await viemOf(full).getBlock({ blockNumber: 2n })
    expect(block.hash).toBe(full.at(2).hash)
    const { transactions } = block
    for (const read of [
      () => transactions.length,
      () => transactions[0],
      () => [...transactions],
      () => transactions.map((hash) => hash),
      () => Object.keys(transactions),
      () => 0 in transactions,
    ]) {
      expect(read).toThrow(UNPROVEN)
    }
    expect(await Promise.resolve(transactions)).toBe(transactions)
    expect(JSON.stringify({ transactions })).toBe('{}')
    expect(String(Object.prototype.toString.call(transactions))).toBe('[object Unproven]')
  })

  test('behavior: an empty block has an empty list', async () => {
    expect((await viemOf(empty).getBlock()).transactions).toEqual([])
  })

  test('error: a block that is not there yet', async () => {
    const block = viemOf(empty).getBlock({ blockNumber: 99n })
    await expect(block).rejects.toMatchObject({ name: 'BlockNotFoundError' })
  })

  test('error: a client of another chain', () => {
    const make = (): unknown =>
      createPublicClient({ chain: mainnet, transport: lightproof(clientFor(empty)) })
    expect(make).toThrow(expect.objectContaining({ name: 'InputError', code: 'input.chain' }))
    const own = { ...mainnet, id: 1337 }
    expect(
      createPublicClient({ chain: own, transport: lightproof(clientFor(empty)) }),
    ).toBeDefined()
  })
})

describe('ethers', () => {
  test('behavior: a block with transactions does not pretend to have none', async () => {
    const provider = new LightproofProvider(clientFor(full))
    const block = await provider.getBlock(2)
    if (block === null) throw new Error('no block')
    expect(block.hash).toBe(full.at(2).hash)
    expect(() => block.transactions).toThrow(UNPROVEN)
    expect(() => block.length).toThrow(UNPROVEN)
    expect(() => block.prefetchedTransactions).toThrow(UNPROVEN)
    expect(() => block.getPrefetchedTransaction(0)).toThrow(UNPROVEN)
    await expect(block.getTransaction(0)).rejects.toThrow(UNPROVEN)
    expect(block.toJSON()).not.toHaveProperty('transactions')
    expect(await provider.getBlock(99)).toBe(null)
    provider.destroy()
  })

  test('behavior: the error proposes nothing that proves less', async () => {
    const provider = new LightproofProvider(clientFor(full))
    const block = await provider.getBlock(2)
    expect(() => block?.transactions).not.toThrow("'off'")
    provider.destroy()
  })

  test('behavior: an empty block has an empty list', async () => {
    const provider = new LightproofProvider(clientFor(empty))
    expect((await provider.getBlock(2))?.transactions).toEqual([])
    provider.destroy()
  })
})
