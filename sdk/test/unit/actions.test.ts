import { describe, expect, test } from 'vitest'
import {
  getAccount,
  getBalance,
  getBlock,
  getCode,
  getNonce,
  getStorage,
  proven,
} from '../../src/entry/node.js'
import { CODE, honest, makeChain, NOBODY, OWNER, SLOT } from '../support/chain.js'
import { clientOf } from '../support/client.js'

const devnet = makeChain(12)
const ethereum = makeChain(70, 'ethereum')

describe.each(['devnet', 'ethereum'] as const)('an honest %s node', (kind) => {
  const chain = kind === 'devnet' ? devnet : ethereum
  test('default: every action proves what the pinned block holds', async () => {
    const { client } = clientOf(chain, [honest(chain)])
    const address = OWNER
    const { balance, slotValue, storageRoot } = chain.head
    expect(await getBalance(client, { address })).toMatchObject({
      status: 'present',
      value: balance,
      trust: {
        block: { number: chain.head.number, hash: chain.head.hash },
        finality: 'pinned',
        anchor: { kind: 'block', hash: chain.head.hash },
        system: 'mpt',
        variant: 'plain',
        servedBy: 'http://n1',
        tried: [],
        proved: ['header', 'account', 'balance'],
        notProved: ['anchor', 'recency'],
      },
    })
    expect(proven(await getNonce(client, { address }))).toBe(1n)
    expect(proven(await getStorage(client, { address, slot: SLOT }))).toBe(slotValue)
    expect(proven(await getCode(client, { address }))).toBe(CODE)
    expect(proven(await getAccount(client, { address }))).toMatchObject({
      nonce: 1n,
      balance,
      storageHash: storageRoot,
    })
  })

  test('behavior: an absent account reads as the protocol reads it', async () => {
    const { client } = clientOf(chain, [honest(chain)])
    const address = NOBODY
    expect(await getBalance(client, { address })).toMatchObject({ status: 'absent', value: 0n })
    expect(await getNonce(client, { address })).toMatchObject({ status: 'absent', value: 0n })
    expect(await getCode(client, { address })).toMatchObject({ status: 'absent', value: '0x' })
    expect(await getAccount(client, { address })).toMatchObject({ status: 'absent', value: null })
    const slot = await getStorage(client, { address, slot: 1 })
    expect(slot).toMatchObject({ status: 'absent', value: 0n })
  })

  test('behavior: an absent slot of a present account is absent', async () => {
    const { client } = clientOf(chain, [honest(chain)])
    const result = await getStorage(client, { address: OWNER, slot: 1n })
    expect(result).toMatchObject({ status: 'absent', value: 0n })
  })

  test('behavior: an ancestor by number, by hash and as a Block', async () => {
    const { client } = clientOf(chain, [honest(chain)])
    const { hash, balance, stateRoot } = chain.at(2)
    const block = proven(await getBlock(client, { block: 2 }))
    expect(block).toMatchObject({ number: 2n, hash, parentHash: chain.at(1).hash, stateRoot })
    for (const at of [2, 2n, hash, block]) {
      const result = await getBalance(client, { address: OWNER, at })
      expect(result).toMatchObject({ value: balance, trust: { finality: 'ancestor' } })
    }
  })

  test('behavior: an ancestor by a hash that the client has not met', async () => {
    const { client } = clientOf(chain, [honest(chain)])
    const { hash, balance } = chain.at(5)
    expect(proven(await getBalance(client, { address: OWNER, at: hash }))).toBe(balance)
  })

  test('behavior: verified headers are remembered', async () => {
    const { client, calls } = clientOf(chain, [honest(chain)])
    proven(await getBlock(client, { block: 0 }))
    const walked = calls.length
    proven(await getBlock(client, { block: 1 }))
    proven(await getBlock(client, { block: chain.at(3).hash }))
    expect(calls).toHaveLength(walked)
  })

  test('behavior: walks of several actions at once agree', async () => {
    const { client } = clientOf(chain, [honest(chain)])
    const numbers = [9, 3, 7, 1, 5]
    const blocks = await Promise.all(numbers.map((block) => getBlock(client, { block })))
    expect(blocks.map((block) => proven(block).hash)).toEqual(numbers.map((n) => chain.at(n).hash))
    const headers = client.lines[0]?.headers ?? []
    expect(headers.map(({ number }) => number)).toEqual(
      headers.map((_, i) => chain.head.number - BigInt(i)),
    )
  })

  test('error: a block above the pin is untrusted, and no other node is asked', async () => {
    const pin = chain.at(6).hash
    const nodes = [honest(chain), honest(chain)]
    const { client } = clientOf(chain, nodes, { anchor: { block: pin } })
    for (const at of [7, chain.at(7).hash]) {
      const result = await getBalance(client, { address: OWNER, at })
      expect(result).toMatchObject({
        status: 'unavailable',
        error: { name: 'UnavailableError', code: 'untrusted' },
        tried: [{ node: 'http://n1', code: 'untrusted' }],
      })
    }
  })

  test('error: a block of another branch is untrusted', async () => {
    const { client } = clientOf(chain, [honest(chain)])
    const at = { number: 3n, hash: chain.at(4).hash }
    const fresh = await getBlock(client, { block: at })
    expect(fresh).toMatchObject({ status: 'unavailable', error: { code: 'untrusted' } })
  })

  test('error: a block beyond maxWalk is not walked to', async () => {
    const { client, calls } = clientOf(chain, [honest(chain)], { maxWalk: 4 })
    const result = await getBlock(client, { block: 0 })
    expect(result).toMatchObject({ status: 'unavailable', error: { code: 'walk' } })
    // On Ethereum one more finds no contract that keeps hashes.
    expect(calls).toHaveLength(chain.chain.kind === 'ethereum' ? 3 : 2)
  })
})
