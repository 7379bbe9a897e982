/**
 * Blocks that leave the window in which nodes keep proofs: the default question moves on once, to a
 * newer final block.
 */

import { beforeEach, expect, test, vi } from 'vitest'
import { parseHash } from '../../src/encoding/input.js'
import { type Client, getBalance, getBlock } from '../../src/entry/node.js'
import type { Light } from '../../src/light/light.js'
import { honest, makeChain, OWNER, proofJson } from '../support/chain.js'
import { clientOf } from '../support/client.js'
import { ScriptedError } from '../support/rpc.js'

const chain = makeChain(12)

/** What the next sync finds to be final. */
let newest = 0
let syncs = 0

vi.mock('../../src/light/prepare.js', () => ({
  prepare: async () => undefined,
  syncLines: async ({ lines }: Client) => {
    syncs++
    const hash = parseHash(chain.at(newest).hash, 'hash', 'input.block')
    if (lines[0]?.hash !== hash) lines.unshift({ hash, finality: 'finalized', headers: [] })
  },
}))

beforeEach(() => {
  syncs = 0
})

/**
 * A client whose newest final block is 5, of a node that keeps proofs from a block on, and does not
 * know the block of so many questions before.
 */
function clientAt5(from: number, unknown = 0) {
  let asked = 0
  const node = honest(chain, {
    eth_getProof: (address: string, slots: readonly string[], id: { blockHash: string }) => {
      const block = chain.blocks.find(({ hash }) => hash === id.blockHash)
      if (asked++ < unknown) throw new ScriptedError(-32011, 'unknown block')
      if (block === undefined || block.number < from) throw new ScriptedError(-32012, 'window')
      return proofJson(block, address, slots)
    },
  })
  const { client, ...script } = clientOf(chain, [node], { anchor: { block: chain.at(5).hash } })
  // A checkpoint's client, as far as the actions look at it.
  const light = { state: undefined, checkpointTime: undefined, tried: [] } as unknown as Light
  return { client: { ...client, light }, ...script }
}

const WINDOW = { status: 'unavailable', error: { code: 'window' } }

test('default: the answer is about the newer final block, and says that the older one failed', async () => {
  newest = 9
  const { client } = clientAt5(8)
  const tried = [{ node: 'http://n1', code: 'rpc.window' }]
  expect(await getBalance(client, { address: OWNER })).toMatchObject({
    status: 'present',
    value: chain.at(9).balance,
    trust: { block: { number: 9n }, tried },
  })
  expect(syncs).toBe(1)
})

test('behavior: once', async () => {
  newest = 6
  const { client, calls } = clientAt5(8)
  expect(await getBalance(client, { address: OWNER })).toMatchObject({
    ...WINDOW,
    tried: [{ code: 'rpc.window' }, { code: 'rpc.window' }],
  })
  // A plain Ethereum node may refuse the form of the question: each block is asked for by hash,
  // then by number.
  expect(calls.filter((method) => method === 'eth_getProof').length).toBeLessThanOrEqual(4)
  expect(syncs).toBe(1)
})

test('behavior: not after a repetition: machines behind one URL differ in what they know and keep', async () => {
  newest = 9
  const { client, calls } = clientAt5(8, 1)
  expect(await getBalance(client, { address: OWNER })).toMatchObject({
    ...WINDOW,
    tried: [{ code: 'rpc.block' }, { code: 'rpc.window' }],
  })
  expect(calls.filter((method) => method === 'eth_getProof')).toHaveLength(2)
  expect(syncs).toBe(0)
})

test('behavior: not without a newer block', async () => {
  newest = 5
  const { client, calls } = clientAt5(8)
  expect(await getBalance(client, { address: OWNER })).toMatchObject({
    ...WINDOW,
    tried: [{ node: 'http://n1' }],
  })
  expect(calls.filter((method) => method === 'lp_getHeader')).toHaveLength(1)
})

test('error: a block that was asked for is never moved', async () => {
  newest = 9
  const { client } = clientAt5(8)
  const { hash } = chain.at(5)
  const found = await getBlock(client)
  const block = found.status === 'present' ? found.value : 5
  for (const at of [5, 5n, hash, block]) {
    expect(await getBalance(client, { address: OWNER, at })).toMatchObject(WINDOW)
  }
  expect(syncs).toBe(0)
})

test('error: a pinned block is never moved', async () => {
  const { client } = clientAt5(8)
  const pinned = { ...client, light: undefined }
  expect(await getBalance(pinned, { address: OWNER })).toMatchObject(WINDOW)
  expect(syncs).toBe(0)
})
