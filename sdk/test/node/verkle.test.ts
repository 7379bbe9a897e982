/**
 * Keys of a Verkle tree from a live lightproof-node, checked against the same chain's mpt proofs.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Client,
  defineChain,
  fetchProof,
  getStorage,
  getValue,
  getValues,
  proven,
  verifyProofFile,
} from '../../src/entry/node.js'
import { verkle } from '../../src/entry/verkle.js'
import { chainOf, clientOf, expectCaught, type Place, placesOf } from '../support/liveChain.js'
import { type LiveNode, startNode } from '../support/liveNode.js'
import { fits } from '../support/schema.js'

const BLOCKS = 12

let node: LiveNode
let client: Client

beforeAll(async () => {
  node = await startNode(BLOCKS)
  client = clientOf(node)
})
afterAll(() => node.stop())

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
  agreesWithMpt(client, placesOf(node)))

test('behavior: many keys in one proof, aggregated or plain', async () => {
  const keys = placesOf(node)
  const aggregated = proven(await getValues(client, { system: verkle, keys }))
  const system = { ...verkle, variants: ['plain'] } as const
  const plain = await getValues(client, { system, keys })
  expect(plain).toMatchObject({ status: 'proven', trust: { variant: 'plain' } })
  expect(proven(plain)).toEqual(aggregated)
})

test('behavior: a proof file is verified without a node', async () => {
  const file = await fetchProof(client, { system: verkle, keys: placesOf(node) })
  expect(fits(file)).toBe(true)
  const result = await verifyProofFile(file, {
    anchor: { block: node.head.hash },
    chain: chainOf(node),
    systems: [verkle],
  })
  const values = proven(await getValues(client, { system: verkle, keys: placesOf(node) }))
  expect(proven(result)).toEqual(values)
})

test('error: lies about the tree are invalid, with evidence', async () => {
  const values = proven(await getValues(client, { system: verkle, keys: placesOf(node) }))
  const key = values.find(({ status }) => status === 'present')?.key ?? '0x'
  const lies = {
    'verkle-value': 'verify.opening',
    'verkle-absent': 'verify.opening',
    'verkle-own-leaf': 'verify.absence',
    'verkle-stale': 'verify.opening',
  }
  await expectCaught(node, lies, (liar) => getValue(liar, { system: verkle, key }))
})

test('behavior: a chain with commitments of Catalano and Fiore proves its keys', async () => {
  const other = await startNode(BLOCKS, ['--verkle', 'cf-32'])
  try {
    const chain = chainOf(other)
    const { paramsDigest } = other.systems.verkle
    const verkleConfig = { format: 'verkle/cf-32', paramsDigest, insecure: true } as const
    const client = clientOf(
      other,
      defineChain({
        ...chain,
        systems: { ...chain.systems, verkle: verkleConfig },
      }),
    )
    await agreesWithMpt(client, placesOf(node).slice(0, 6))
    const misnamed = await getValue(clientOf(other), {
      system: verkle,
      key: placesOf(node)[0] ?? '0x',
    })
    expect(['invalid', 'unavailable']).toContain(misnamed.status)
  } finally {
    await other.stop()
  }
})
