/**
 * viem and ethers over scripted nodes: what they make of proven blocks, and chains that do not
 * match.
 */

import { createPublicClient } from 'viem'
import { mainnet } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { LightproofProvider } from '../../src/entry/ethers.js'
import { lightproof } from '../../src/entry/viem.js'
import { honest, makeChain } from '../support/chain.js'
import { clientOf } from '../support/client.js'

const empty = makeChain(4, 'ethereum')
const full = makeChain(4, 'ethereum', undefined, `0x${'77'.repeat(32)}`)
const LIE = { code: 'verify.root', node: 'http://n1' }
const clientFor = (chain: typeof empty) => clientOf(chain, [honest(chain)]).client

describe('viem', () => {
  const viemOf = (chain: typeof empty) =>
    createPublicClient({ transport: lightproof(clientFor(chain)) })

  test('error: a node that says of a block with transactions that it has none', async () => {
    const block = viemOf(full).getBlock({ blockNumber: 2n })
    await expect(block).rejects.toMatchObject({ cause: { code: -32070, data: LIE } })
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
  test('error: a node that says of a block with transactions that it has none', async () => {
    const provider = new LightproofProvider(clientFor(full))
    await expect(provider.getBlock(2)).rejects.toMatchObject({ code: -32070, data: LIE })
    expect(await provider.getBlock(99)).toBe(null)
    provider.destroy()
  })

  test('behavior: an empty block has an empty list', async () => {
    const provider = new LightproofProvider(clientFor(empty))
    expect((await provider.getBlock(2))?.transactions).toEqual([])
    provider.destroy()
  })
})
