/** What a first answer loads, it loads at once: nodes are asked while the module is on its way. */

import { readFileSync } from 'node:fs'
import { getAddress } from 'viem'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { honest, makeChain, OWNER } from '../support/chain.js'

const blocks = makeChain(3, 'ethereum')
const module = new URL('../../src/generated/mpt_bg.wasm', import.meta.url)

type Open = (bytes: Uint8Array<ArrayBuffer>) => void

/** The package as if it was just loaded; its module arrives when that is said. */
async function fresh() {
  const { usePlatform } = await import('../../src/wasm/module.js')
  const { getBalance, proven } = await import('../../src/entry/node.js')
  const { clientOf } = await import('../support/client.js')
  let open: Open = () => undefined
  const opened = vi.fn(() => new Promise<Uint8Array<ArrayBuffer>>((resolve) => (open = resolve)))
  usePlatform({ mpt: opened })
  const { client, calls } = clientOf(blocks, [honest(blocks)])
  return {
    opened,
    calls,
    arrive: () => open(new Uint8Array(readFileSync(module))),
    ask: async (address: string) => proven(await getBalance(client, { address })),
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

beforeEach(() => vi.resetModules())

describe('before the module is there', () => {
  test('behavior: nodes are asked about an address without a checksum', async () => {
    const { ask, calls, opened, arrive } = await fresh()
    const answer = ask(OWNER)
    await turn()
    expect(opened).toHaveBeenCalledTimes(1)
    expect(calls).toEqual(['eth_chainId', 'eth_getBlockByHash', 'eth_getProof'])
    arrive()
    expect(await answer).toBe(blocks.head.balance)
    expect(calls).toHaveLength(3)
  })

  test('behavior: no node is asked about one whose checksum was not checked', async () => {
    const { ask, calls, arrive } = await fresh()
    const answer = ask(getAddress(OWNER))
    await turn()
    expect(calls).toEqual([])
    arrive()
    expect(await answer).toBe(blocks.head.balance)
  })

  test('error: a wrong checksum is no question', async () => {
    const { ask, calls, arrive } = await fresh()
    const right = getAddress(OWNER)
    const at = right.search(/[A-F]/)
    const wrong = right.slice(0, at) + right.charAt(at).toLowerCase() + right.slice(at + 1)
    const answer = expect(ask(wrong)).rejects.toMatchObject({ code: 'input.checksum' })
    await turn()
    arrive()
    await answer
    expect(calls).toEqual([])
  })
})
