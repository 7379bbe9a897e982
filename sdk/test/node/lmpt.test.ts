/**
 * Keys over three layers from a live lightproof-node, checked against the same chain's mpt proofs.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { lmpt } from '../../src/entry/lmpt.js'
import {
  type Client,
  defineChain,
  fetchProof,
  getStorage,
  getValue,
  getValues,
  InputError,
  mainnet,
  proven,
  verifyProofFile,
} from '../../src/entry/node.js'
import { chainOf, clientOf, expectCaught, type Place, placesOf } from '../support/liveChain.js'
import { type LiveNode, startNode } from '../support/liveNode.js'
import { fits } from '../support/schema.js'

/** Two merges are over, and the delta holds some blocks. */
const BLOCKS = 40

let node: LiveNode
let client: Client

beforeAll(async () => {
  node = await startNode(BLOCKS)
  client = clientOf(node)
})
afterAll(() => node.stop())

/** A slot that genesis wrote and nothing clears. */
function place(): Place {
  const [first] = placesOf(node)
  return first ?? { address: '0x', slot: '0x' }
}

test('default: every slot has the value that mpt proves, in old and new blocks', async () => {
  const layers = new Set<string>()
  for (const at of [0, 15, 16, 33, BLOCKS]) {
    for (const key of placesOf(node)) {
      const result = await getValue(client, { system: lmpt, key, at })
      const byMpt = proven(await getStorage(client, { ...key, at }))
      expect(BigInt(proven(result) ?? 0n)).toBe(byMpt)
      if (result.status === 'present') layers.add(result.layer)
      expect(result).toMatchObject({ trust: { system: 'lmpt', variant: 'plain' } })
    }
  }
  expect(layers).toEqual(new Set(['delta', 'intermediate', 'snapshot']))
})

test('behavior: a slot that was never written is absent, as the snapshot shows', async () => {
  const key = { address: place().address, slot: 0x1234567890n }
  const value = await getValue(client, { system: lmpt, key })
  expect(value).toMatchObject({ status: 'absent', value: undefined, layer: 'snapshot' })
})

test('behavior: many keys in one proof, by walks or by adjacent paths', async () => {
  const keys = placesOf(node)
  const plain = proven(await getValues(client, { system: lmpt, keys }))
  const system = { ...lmpt, variants: ['adjacent'] } as const
  const adjacent = await getValues(client, { system, keys })
  expect(adjacent).toMatchObject({ status: 'proven', trust: { variant: 'adjacent' } })
  expect(proven(adjacent)).toEqual(plain)
  expect(plain).toHaveLength(keys.length)
})

test('behavior: a proof file is verified without a node', async () => {
  const file = await fetchProof(client, { system: lmpt, keys: placesOf(node) })
  expect(fits(file)).toBe(true)
  const result = await verifyProofFile(file, {
    anchor: { block: node.head.hash },
    systems: [lmpt],
  })
  expect(proven(result)).toEqual(
    proven(await getValues(client, { system: lmpt, keys: placesOf(node) })),
  )
})

test('behavior: a chain of the other format proves its snapshot keys', async () => {
  const other = await startNode(BLOCKS, ['--lmpt', 'conflux'])
  try {
    const chain = chainOf(other)
    const systems = { ...chain.systems, lmpt: { format: 'lmpt/conflux' } } as const
    const conflux = clientOf(other, defineChain({ ...chain, systems }))
    for (const { address, slot } of placesOf(node)) {
      const result = await getValue(conflux, {
        system: lmpt,
        key: `${address}64617461${slot.slice(2)}`,
      })
      const byMpt = proven(await getStorage(conflux, { address, slot }))
      expect(BigInt(proven(result) ?? 0n)).toBe(byMpt)
    }
    const misnamed = await getValue(clientOf(other), { system: lmpt, key: place() })
    expect(misnamed.status).not.toBe('present')
  } finally {
    await other.stop()
  }
})

test('error: lies about layers are invalid, with evidence', async () => {
  const lies = {
    'lmpt-stale': 'verify.root',
    'lmpt-delta-empty': 'verify.incomplete',
    'lmpt-variant': 'decode.shape',
  }
  await expectCaught(node, lies, (liar) => getValue(liar, { system: lmpt, key: place() }))
})

test('error: arguments', async () => {
  const wrong = [
    getValue(client, { system: lmpt, key: '0x' }),
    getValue(client, { system: lmpt, key: 'key' }),
    getValues(client, { system: lmpt, keys: [] }),
    getValues(client, { system: lmpt, keys: ['0x01', '0x01'] }),
    getValue(clientOf(node, mainnet), { system: lmpt, key: place() }),
  ]
  for (const action of wrong) await expect(action).rejects.toBeInstanceOf(InputError)
})
