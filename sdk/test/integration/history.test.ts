/** A node that has forgotten older states, as most nodes of Ethereum have. */

import { createClient, fetchProof, getBalance, getBlock, proven, verifyProofFile } from 'lightproof'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { devClient, outcome } from './support/client.js'
import { faucet } from './support/genesis.js'
import { type Geth, startDevGeth } from './support/geth.js'
import { Sender } from './support/history.js'
import { startProxy } from './support/proxy.js'
import { hashOf, quantity, rpc } from './support/rpc.js'

/** geth keeps the newest 128 states by default; an empty block makes no new one. */
const STATES = 128 + 12

let geth: Geth
let pruned: number
let head: number

beforeAll(async () => {
  geth = await startDevGeth('osaka', { history: 'recent' })
  const sender = new Sender(geth.url)
  const blocks: number[] = []
  for (let i = 0; i < STATES; i++) {
    const { block } = await sender.send({ to: faucet.address, value: 1n })
    blocks.push(block)
  }
  pruned = Math.min(...blocks)
  head = Math.max(...blocks)
})
afterAll(() => geth?.stop())

test('unavailable: the state of a pruned block; its header is proven all the same', async () => {
  const client = await devClient(geth.url, head)
  const result = await getBalance(client, { address: faucet.address, at: pruned })
  expect(outcome(result)).toEqual(['unavailable', 'window'])
  const block = await getBlock(client, { block: pruned })
  expect(block).toMatchObject({ status: 'present', value: { number: BigInt(pruned) } })
})

test('behavior: its header is found by the hash that the newest state keeps, and a file says so', async () => {
  const proxy = await startProxy(geth.url)
  const asked: string[] = []
  proxy.tamper = (method, result) => {
    asked.push(method)
    return result
  }
  const client = await devClient(geth.url, head, proxy.url)
  const block = proven(await getBlock(client, { block: pruned }))
  expect(block.hash).toBe(await hashOf(geth.url, pruned))
  expect(asked).toEqual(['eth_chainId', 'eth_getBlockByHash', 'eth_getProof', 'eth_getBlockByHash'])
  const at = head - 50
  const file = await fetchProof(client, { address: faucet.address, at })
  const anchor = { block: await hashOf(geth.url, head) }
  const result = await verifyProofFile(file, { anchor })
  expect(result).toMatchObject({ status: 'present', trust: { block: { number: BigInt(at) } } })
  expect(file.source).toHaveProperty('header.by.system', 'mpt')
  await proxy.close()
})

test('behavior: a recent block of the same node is proven', async () => {
  const client = await devClient(geth.url, head)
  const at = head - 50
  const { address } = faucet
  const expected = await rpc(geth.url, 'eth_getBalance', [address, quantity(at)])
  const result = await getBalance(client, { address, at })
  expect(outcome(result)).toEqual(['present', BigInt(String(expected))])
})

test('a block further back than the client walks is proven by a slot', async () => {
  const { chain, anchor } = await devClient(geth.url, head)
  const options = { chain, anchor: { block: anchor.hash }, nodes: [geth.url], maxWalk: 10 }
  const client = createClient(options)
  for (const block of [head - 10, head - 11]) {
    expect((await getBlock(client, { block })).status).toBe('present')
  }
})
