/**
 * Balances at positions from a live lightproof-node, checked against the same chain's mpt proofs.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { balanceproofs } from '../../src/entry/balanceproofs.js'
import {
  type Client,
  fetchProof,
  getBalance,
  getValue,
  getValues,
  InputError,
  mainnet,
  proven,
  verifyProofFile,
} from '../../src/entry/node.js'
import { chainOf, clientOf, expectCaught } from '../support/liveChain.js'
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

test('default: a thousand balances by one hinted proof of 96 bytes', async () => {
  const keys = Array.from({ length: 1024 }, (_, i) => 1023 - i)
  const result = await getValues(client, { system: balanceproofs, keys })
  expect(result).toMatchObject({
    status: 'proven',
    trust: { system: 'balanceproofs', variant: 'hinted' },
  })
  const values = proven(result)
  expect(values.map(({ position }) => Number(position))).toEqual(keys)
  const { address } = node.samples[0] ?? { address: '0x' }
  const balance = proven(await getBalance(client, { address }))
  expect(values.some(({ value }) => value === balance)).toBe(true)
})

test('default: one position, at the head and before', async () => {
  const result = await getValue(client, { system: balanceproofs, key: 4095n })
  expect(result).toMatchObject({ status: 'present', position: 4095n, value: 0n })
  // The node's choice for few positions.
  expect(result).toMatchObject({ trust: { variant: 'plain' } })
  const at = BLOCKS - 5
  const before = await getValue(client, { system: balanceproofs, key: 0, at })
  expect(before).toMatchObject({ status: 'present', trust: { block: { number: BigInt(at) } } })
})

test("behavior: a caller who takes the paper's proofs alone gets those", async () => {
  for (const variant of ['plain', 'singles', 'commit-hinted']) {
    const system = { ...balanceproofs, variants: [variant] } as const
    const result = await getValues(client, { system, keys: [0, 7, 8] })
    expect(result).toMatchObject({ status: 'proven', trust: { variant } })
  }
})

test('behavior: a proof file is verified without a node', async () => {
  const keys = [3, 1, 2]
  const file = await fetchProof(client, { system: balanceproofs, keys })
  expect(fits(file)).toBe(true)
  const chain = chainOf(node)
  const anchor = { block: node.head.hash }
  const result = await verifyProofFile(file, { anchor, chain, systems: [balanceproofs] })
  const values = proven(await getValues(client, { system: balanceproofs, keys: [1, 2, 3] }))
  expect(proven(result)).toEqual(values)
})

test('error: lies about balances are invalid, with evidence', async () => {
  const lies = {
    'balances-value': 'verify.opening',
    'balances-stale': 'verify.opening',
    'balances-dropped': 'decode.shape',
  }
  await expectCaught(node, lies, (liar) =>
    getValues(liar, { system: balanceproofs, keys: [0, 1, 2] }),
  )
})

test('error: arguments', async () => {
  const wrong = [
    getValue(client, { system: balanceproofs, key: -1 }),
    getValue(client, { system: balanceproofs, key: 1.5 }),
    getValue(client, { system: balanceproofs, key: 2n ** 53n + 1n }),
    getValue(client, { system: balanceproofs, key: 2 ** 53 + 2 }),
    getValues(client, { system: balanceproofs, keys: [] }),
    getValues(client, { system: balanceproofs, keys: [5, 5n] }),
    getValue(clientOf(node, mainnet), { system: balanceproofs, key: 0 }),
  ]
  for (const action of wrong) await expect(action).rejects.toBeInstanceOf(InputError)
})
