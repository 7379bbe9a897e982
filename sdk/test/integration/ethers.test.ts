/** ethers talks to lightproof-node as to any node of Ethereum, and hears what the proofs say. */

import { JsonRpcProvider } from 'ethers'
import {
  type Client,
  createClient,
  devnet,
  getBalance,
  getBlock,
  getCode,
  getNonce,
  getStorage,
} from 'lightproof'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LightproofNode, startLightproofNode } from './support/node.js'

const BLOCKS = 16

let node: LightproofNode
let provider: JsonRpcProvider
let client: Client

beforeAll(async () => {
  node = await startLightproofNode(BLOCKS)
  provider = new JsonRpcProvider(node.url)
  client = createClient({
    chain: devnet(node.genesisHash, node.consensus),
    anchor: { block: node.head.hash },
    nodes: [node.url],
  })
})
afterAll(async () => {
  provider?.destroy()
  await node?.stop()
})

test('eth_chainId and eth_blockNumber', async () => {
  expect((await provider.getNetwork()).chainId).toBe(BigInt(node.chainId))
  expect(await provider.getBlockNumber()).toBe(node.head.number)
})

test('eth_getBlockByNumber and eth_getBlockByHash', async () => {
  for (const tag of ['latest', 0, BLOCKS - 3, node.head.hash]) {
    const block = await provider.getBlock(tag)
    if (block === null) throw new Error(`no block ${tag}`)
    const { number, hash, parentHash, timestamp, stateRoot } = block
    expect(await getBlock(client, { block: number })).toMatchObject({
      status: 'present',
      value: { number: BigInt(number), hash, parentHash, timestamp: BigInt(timestamp), stateRoot },
    })
  }
  expect(await provider.getBlock(BLOCKS + 1000)).toBeNull()
})

test('eth_getBalance, eth_getTransactionCount and eth_getCode', async () => {
  for (const { address } of node.samples) {
    for (const at of [node.head.number, BLOCKS - 5]) {
      const question = { address, at }
      const proofs = [
        getBalance(client, question),
        getNonce(client, question),
        getCode(client, question),
      ]
      const answers = [
        await provider.getBalance(address, at),
        BigInt(await provider.getTransactionCount(address, at)),
        await provider.getCode(address, at),
      ]
      expect(answers).toEqual((await Promise.all(proofs)).map(provenValue))
    }
  }
})

test('eth_getStorageAt', async () => {
  const slots = node.samples.flatMap(({ address, slots }) =>
    slots.map((slot) => ({ address, slot })),
  )
  expect(slots.length).toBeGreaterThan(5)
  for (const { address, slot } of slots) {
    const answer = BigInt(await provider.getStorage(address, slot))
    expect(answer).toBe(provenValue(await getStorage(client, { address, slot })))
  }
})

test('the samples cover accounts with balance, code and storage, and an absent one', async () => {
  const states = await Promise.all(
    node.samples.map(async ({ kind, address }) => [
      kind,
      (await getNonce(client, { address })).status,
    ]),
  )
  expect(states).toContainEqual(['eoa', 'present'])
  expect(states).toContainEqual(['contract', 'present'])
  expect(states).toContainEqual(['absent', 'absent'])
})

function provenValue(result: Awaited<ReturnType<typeof getBalance | typeof getCode>>): unknown {
  if ('value' in result) return result.value
  throw result.error
}
