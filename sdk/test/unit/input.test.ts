import { describe, expect, test } from 'vitest'
import { createClient, fetchProof, getBalance, getStorage } from '../../src/entry/node.js'
import { honest, makeChain, OWNER } from '../support/chain.js'
import { clientOf } from '../support/client.js'

const devnet = makeChain(12)

describe("the caller's mistakes", () => {
  const { client } = clientOf(devnet, [honest(devnet)])

  test.each([
    [{ address: '0x12' }, 'input.address', 'address'],
    [{ address: 12 }, 'input.address', 'address'],
    [{ address: `0x${'Aa'.repeat(20)}` }, 'input.checksum', 'address'],
    [{ address: OWNER, at: 'latest' }, 'input.block', 'at'],
    [{ address: OWNER, at: -1 }, 'input.block', 'at'],
    [{ address: OWNER, at: 1.5 }, 'input.block', 'at'],
    [{ address: OWNER, at: { hash: '0x12', number: 1 } }, 'input.block', 'at.hash'],
    [{ address: OWNER, signal: true }, 'input.option', 'signal'],
    [{ address: OWNER, block: 1 }, 'input.option', 'block'],
    [undefined, 'input.option', 'parameters'],
  ])('error: %j', async (parameters, code, argument) => {
    const promise = getBalance(client, parameters as never)
    await expect(promise).rejects.toMatchObject({ name: 'InputError', code, argument })
  })

  test('error: a slot that is no 32-byte integer', async () => {
    for (const slot of [-1, '0x', '12', 2n ** 256n, 0.5, `0x${'0'.repeat(65)}`]) {
      const promise = getStorage(client, { address: OWNER, slot })
      await expect(promise).rejects.toMatchObject({ code: 'input.slot', argument: 'slot' })
    }
  })

  test('error: too many slots, or one twice', async () => {
    const many = Array.from({ length: 1025 }, (_, i) => i)
    const twice = fetchProof(client, { address: OWNER, slots: [1, '0x01'] })
    await expect(twice).rejects.toMatchObject({ argument: 'slots[1]' })
    const tooMany = fetchProof(client, { address: OWNER, slots: many })
    await expect(tooMany).rejects.toMatchObject({ code: 'input.slot', argument: 'slots' })
  })

  test('error: something that is no client', async () => {
    const promise = getBalance({} as never, { address: OWNER })
    await expect(promise).rejects.toMatchObject({ code: 'input.option', argument: 'client' })
  })

  test('behavior: abort rethrows the reason, before and during the action', async () => {
    const reason = new Error('user left')
    const before = getBalance(client, { address: OWNER, signal: AbortSignal.abort(reason) })
    await expect(before).rejects.toBe(reason)
    const abort = new AbortController()
    const hanging = createClient({
      chain: devnet.chain,
      anchor: { block: devnet.head.hash },
      nodes: ['http://n1', 'http://n2'],
      fetch: () => {
        queueMicrotask(() => abort.abort(reason))
        return new Promise(() => {})
      },
    })
    const during = getBalance(hanging, { address: OWNER, signal: abort.signal })
    await expect(during).rejects.toBe(reason)
  })
})
