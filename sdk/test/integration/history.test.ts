/** A node that has forgotten older states, as most nodes of Ethereum have. */

import { createClient, getBalance, getBlock } from 'lightproof'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { devClient, outcome } from './support/client.js'
import { faucet } from './support/genesis.js'
import { type Geth, startDevGeth } from './support/geth.js'
import { Sender } from './support/history.js'
import { quantity, rpc } from './support/rpc.js'

/** geth keeps the newest 128 states by default; an empty block makes no new one. */
const STATES = 128 + 12

let geth: Geth
let pruned: number
let head: number

beforeAll(async () => {
  geth = await startDevGeth('osaka', 'recent')
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

test('behavior: a recent block of the same node is proven', async () => {
  const client = await devClient(geth.url, head)
  const at = head - 50
  const { address } = faucet
  const expected = await rpc(geth.url, 'eth_getBalance', [address, quantity(at)])
  const result = await getBalance(client, { address, at })
  expect(outcome(result)).toEqual(['present', BigInt(String(expected))])
})

test('unavailable: further back than the client walks', async () => {
  const { chain, anchor } = await devClient(geth.url, head)
  const options = { chain, anchor: { block: anchor.hash }, nodes: [geth.url], maxWalk: 10 }
  const client = createClient(options)
  expect(outcome(await getBlock(client, { block: head - 11 }))).toEqual(['unavailable', 'walk'])
  expect((await getBlock(client, { block: head - 10 })).status).toBe('present')
})
