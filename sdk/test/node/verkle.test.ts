/** Keys of a Verkle tree from a live lightproof-node, checked against the same chain's mpt proofs. */

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
  proven,
  verifyProofFile,
} from '../../src/entry/node.js'
import { verkle } from '../../src/verkle.js'
import { type LiveNode, startNode } from '../support/liveNode.js'

const BLOCKS = 12

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

async function agreesWithMpt(client: Client, places: readonly Place[]): Promise<void> {
  const statuses = new Set<string>()
  for (const at of [0, BLOCKS]) {
    for (const key of places) {
      const result = await getValue(client, { system: verkle, key, at })
      const byMpt = proven(await getStorage(client, { ...key, at }))
      expect(BigInt(proven(result) ?? 0n)).toBe(byMpt)
      expect(result).toMatchObject({ trust: { system: 'verkle', variant: 'aggregated' } })
      statuses.add(result.status)
    }
  }
  expect(statuses).toEqual(new Set(['present', 'absent']))
}

test('default: every slot has the value that mpt proves, in old and new blocks', () =>
  agreesWithMpt(client, places()))

test('behavior: many keys in one proof, aggregated or plain', async () => {
  const keys = places()
  const aggregated = proven(await getValues(client, { system: verkle, keys }))
  const system = { ...verkle, variants: ['plain'] } as const
  const plain = await getValues(client, { system, keys })
  expect(plain).toMatchObject({ status: 'proven', trust: { variant: 'plain' } })
  expect(proven(plain)).toEqual(aggregated)
})

test('behavior: a proof file is verified without a node', async () => {
  const file = await fetchProof(client, { system: verkle, keys: places() })
  const result = await verifyProofFile(file, {
    anchor: { block: node.head.hash },
    chain: devnet(node.genesisHash, node.consensus),
    systems: [verkle],
  })
  const values = proven(await getValues(client, { system: verkle, keys: places() }))
  expect(proven(result)).toEqual(values)
})

test('error: lies about the tree are invalid, with evidence', async () => {
  const values = proven(await getValues(client, { system: verkle, keys: places() }))
  const key = values.find(({ status }) => status === 'present')?.key ?? '0x'
  for (const [lie, code] of [
    ['verkle-value', 'verify.opening'],
    ['verkle-absent', 'verify.opening'],
    ['verkle-own-leaf', 'verify.absence'],
    ['verkle-stale', 'verify.opening'],
  ] as const) {
    const liar = await startNode(BLOCKS, lie)
    try {
      const result = await getValue(clientOf(liar), { system: verkle, key })
      expect(result).toMatchObject({ status: 'invalid', error: { code } })
      expect(result).toMatchObject({ evidence: [{ system: 'verkle' }] })
    } finally {
      await liar.stop()
    }
  }
})

test('behavior: a chain with commitments of Catalano and Fiore proves its keys', async () => {
  const other = await startNode(BLOCKS, undefined, ['--verkle', 'cf-32'])
  try {
    const chain = devnet(other.genesisHash, other.consensus)
    const { paramsDigest } = other.systems.verkle
    const verkleConfig = { format: 'verkle/cf-32', paramsDigest, insecure: true } as const
    const client = createClient({
      chain: defineChain({
        ...chain,
        systems: { ...chain.systems, verkle: verkleConfig },
      }),
      anchor: { block: other.head.hash },
      nodes: [other.url],
    })
    await agreesWithMpt(client, places().slice(0, 6))
    const misnamed = await getValue(clientOf(other), { system: verkle, key: places()[0] ?? '0x' })
    expect(['invalid', 'unavailable']).toContain(misnamed.status)
  } finally {
    await other.stop()
  }
})
