/** Keys over three layers from a live lightproof-node, checked against the same chain's mpt proofs. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Hex } from '../../src/encoding/hex.js'
import {
  type Client,
  createClient,
  defineChain,
  devnet,
  fetchProof,
  getStorage,
  getValue,
  getValues,
  InputError,
  mainnet,
  proven,
  verifyProofFile,
} from '../../src/entry/node.js'
import { lmpt } from '../../src/lmpt.js'
import { type LiveNode, startNode } from '../support/liveNode.js'

/** Two merges are over, and the delta holds some blocks. */
const BLOCKS = 40

let node: LiveNode
let client: Client

beforeAll(async () => {
  node = await startNode(BLOCKS)
  client = clientOf(node)
})
afterAll(() => node.stop())

function clientOf({ genesisHash, consensus, head, url }: LiveNode): Client {
  const chain = devnet(genesisHash, consensus)
  return createClient({ chain, anchor: { block: head.hash }, nodes: [url] })
}

interface Place {
  readonly address: Hex
  readonly slot: Hex
}

/** Slots that the node calls worth asking for. */
function places(): Place[] {
  return node.samples.flatMap(({ address, slots }) => slots.map((slot) => ({ address, slot })))
}

/** A slot that genesis wrote and nothing clears. */
function place(): Place {
  const [first] = places()
  return first ?? { address: '0x', slot: '0x' }
}

test('default: every slot has the value that mpt proves, in old and new blocks', async () => {
  const layers = new Set<string>()
  for (const at of [0, 15, 16, 33, BLOCKS]) {
    for (const key of places()) {
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
  const keys = places()
  const plain = proven(await getValues(client, { system: lmpt, keys }))
  const system = { ...lmpt, variants: ['adjacent'] } as const
  const adjacent = await getValues(client, { system, keys })
  expect(adjacent).toMatchObject({ status: 'proven', trust: { variant: 'adjacent' } })
  expect(proven(adjacent)).toEqual(plain)
  expect(plain).toHaveLength(keys.length)
})

test('behavior: a proof file is verified without a node', async () => {
  const file = await fetchProof(client, { system: lmpt, keys: places() })
  const result = await verifyProofFile(file, {
    anchor: { block: node.head.hash },
    systems: [lmpt],
  })
  expect(proven(result)).toEqual(proven(await getValues(client, { system: lmpt, keys: places() })))
})

test('behavior: a chain of the other format proves its snapshot keys', async () => {
  const other = await startNode(BLOCKS, undefined, ['--lmpt', 'conflux'])
  try {
    const chain = devnet(other.genesisHash, other.consensus)
    const systems = { ...chain.systems, lmpt: { format: 'lmpt/conflux' } } as const
    const conflux = createClient({
      chain: defineChain({ ...chain, systems }),
      anchor: { block: other.head.hash },
      nodes: [other.url],
    })
    for (const { address, slot } of places()) {
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
  for (const [lie, code] of [
    ['lmpt-stale', 'verify.root'],
    ['lmpt-delta-empty', 'verify.incomplete'],
    ['lmpt-variant', 'decode.shape'],
  ] as const) {
    const liar = await startNode(BLOCKS, lie)
    try {
      const result = await getValue(clientOf(liar), { system: lmpt, key: place() })
      expect(result, lie).toMatchObject({ status: 'invalid', error: { code } })
    } finally {
      await liar.stop()
    }
  }
})

test('error: arguments', async () => {
  const elsewhere = { chain: mainnet, anchor: { block: node.head.hash }, nodes: [node.url] }
  const wrong = [
    getValue(client, { system: lmpt, key: '0x' }),
    getValue(client, { system: lmpt, key: 'key' }),
    getValues(client, { system: lmpt, keys: [] }),
    getValues(client, { system: lmpt, keys: ['0x01', '0x01'] }),
    getValue(createClient(elsewhere), { system: lmpt, key: place() }),
  ]
  for (const action of wrong) await expect(action).rejects.toBeInstanceOf(InputError)
})
