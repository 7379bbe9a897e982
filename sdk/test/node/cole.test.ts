/**
 * Versions of slots from a live lightproof-node, checked against the same chain's mpt proofs, block
 * by block.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Hex } from '../../src/encoding/hex.js'
import { cole, getHistory, type Version } from '../../src/entry/cole.js'
import {
  type Client,
  createClient,
  defineChain,
  devnet,
  fetchProof,
  getStorage,
  getValue,
  InputError,
  mainnet,
  proven,
  verifyProofFile,
} from '../../src/entry/node.js'
import { type LiveNode, startNode } from '../support/liveNode.js'
import { fits } from '../support/schema.js'

const BLOCKS = 24

let node: LiveNode
let client: Client

beforeAll(async () => {
  node = await startNode(BLOCKS)
  const anchor = { block: node.head.hash }
  const chain = devnet(node.genesisHash, node.consensus)
  client = createClient({ chain, anchor, nodes: [node.url] })
})
afterAll(() => node.stop())

interface Place {
  readonly address: Hex
  readonly slot: Hex
}

/** Slots that the node calls worth asking for. */
function places(): Place[] {
  return node.samples.flatMap(({ address, slots }) => slots.map((slot) => ({ address, slot })))
}

/** The slot after every block, by mpt. */
async function storage(place: Place): Promise<bigint[]> {
  const values: bigint[] = []
  for (let at = 0; at <= BLOCKS; at += 1)
    values.push(proven(await getStorage(client, { ...place, at })))
  return values
}

/** The value after a block, by its versions. */
function after(versions: readonly Version[], block: number): bigint {
  const newest = versions.filter((version) => version.block <= BigInt(block)).at(-1)
  return BigInt(newest?.value ?? 0n)
}

test('default: the history of a slot is what mpt proves block by block', async () => {
  let versionsSeen = 0
  for (const place of places()) {
    const history = await getHistory(client, { ...place, fromBlock: 0 })
    const { versions, complete, predecessor, toBlock } = proven(history)
    expect({ complete, predecessor, toBlock }).toEqual({
      complete: true,
      predecessor: { status: 'none' },
      toBlock: BigInt(BLOCKS),
    })
    const byMpt = await storage(place)
    expect(byMpt.map((_, block) => after(versions, block))).toEqual(byMpt)
    versionsSeen += versions.length
    const blocks = versions.map(({ block }) => block)
    expect(blocks).toEqual([...blocks].sort((a, b) => Number(a - b)))
  }
  expect(versionsSeen).toBeGreaterThan(3)
})

test('default: the latest value, and the one as of a block', async () => {
  for (const place of places()) {
    const { versions } = proven(await getHistory(client, { ...place, fromBlock: 0 }))
    for (const asOf of [undefined, 0, 5, BLOCKS]) {
      const value = await getValue(client, {
        system: cole,
        ...place,
        ...(asOf === undefined ? {} : { asOf }),
      })
      const newest = versions.filter(({ block }) => block <= BigInt(asOf ?? BLOCKS)).at(-1)
      expect(value.status).toBe(newest === undefined ? 'absent' : 'present')
      expect(proven(value)).toBe(newest?.value)
      if (value.status === 'present') expect(value.block).toBe(newest?.block)
    }
  }
})

test('behavior: a slot that was never written is proven absent', async () => {
  const [place] = places()
  const nowhere = { address: place?.address ?? '0x', slot: 0x1234567890n }
  const value = await getValue(client, { system: cole, ...nowhere })
  expect(value).toMatchObject({ status: 'absent', value: undefined, trust: { system: 'cole' } })
  const history = await getHistory(client, { ...nowhere, fromBlock: 1, toBlock: 9 })
  expect(history).toMatchObject({ status: 'absent', value: { versions: [], complete: true } })
})

test('default: a proof file of a value and of a history, checked offline', async () => {
  const [place] = places()
  const question = { address: place?.address ?? '0x', slot: place?.slot ?? 0n }
  const anchor = { block: node.head.hash }
  const options = { anchor, chain: client.chain, systems: [cole] }
  const history = await fetchProof(client, { system: cole, ...question, fromBlock: 0 })
  expect(fits(history)).toBe(true)
  const read = await verifyProofFile(JSON.parse(JSON.stringify(history)), options)
  const asked = await getHistory(client, { ...question, fromBlock: 0 })
  expect(read).toMatchObject({ system: 'cole', status: asked.status, value: proven(asked) })
  expect(read).toHaveProperty('trust.proved', ['header', 'history'])

  const value = await fetchProof(client, { system: cole, ...question, at: BLOCKS - 1 })
  const latest = await getValue(client, { system: cole, ...question, at: BLOCKS - 1 })
  const { trust, ...found } = latest as { trust?: unknown }
  expect(trust).toBeDefined()
  expect(await verifyProofFile(value, options)).toMatchObject({ ...found, system: 'cole' })

  // What it proves depends on the system's parameters: the file's own word for them is none.
  const alone = verifyProofFile(value, { anchor, systems: [cole] })
  await expect(alone).rejects.toMatchObject({ code: 'input.chain', argument: 'chain' })
  const unknown = await verifyProofFile(value, { anchor, chain: client.chain })
  expect(unknown).toMatchObject({ status: 'invalid', error: { code: 'decode.response' } })
})

test('error: another configuration of the chain proves nothing', async () => {
  const anchor = { block: node.head.hash }
  const [place] = places()
  const { address, slot } = place ?? { address: '0x', slot: '0x' }
  const chain = devnet(node.genesisHash, node.consensus)
  const config = { format: 'cole/1', params: '0xc3010404' } as const
  const star = defineChain({ ...chain, systems: { ...chain.systems, cole: config } })
  const other = createClient({ chain: star, anchor, nodes: [node.url] })
  const result = await getHistory(other, { address, slot, fromBlock: 0 })
  expect(result).toMatchObject({ status: 'invalid', error: { code: 'verify.query' } })
  const evidence = result.status === 'invalid' ? result.evidence : []
  expect(evidence).toMatchObject([{ kind: 'evidence', system: 'cole', config }])
})

test('error: what a block after the proof wrote, or that it wrote nothing', async () => {
  const [place] = places()
  const { address, slot } = place ?? { address: '0x', slot: '0x' }
  const newer = { status: 'unavailable', error: { code: 'untrusted' } }
  const later = { system: cole, address, slot, asOf: BLOCKS + 1 }
  expect(await getValue(client, later)).toMatchObject(newer)
  const beyond = { address, slot, fromBlock: BLOCKS + 1 }
  expect(await getHistory(client, beyond)).toMatchObject(newer)
  expect(await getHistory(client, { ...beyond, at: 1, fromBlock: 2 })).toMatchObject(newer)
  const across = await getHistory(client, { address, slot, fromBlock: 0, toBlock: BLOCKS + 9 })
  expect(proven(across).toBlock).toBe(BigInt(BLOCKS))
})

test('error: arguments', async () => {
  const [place] = places()
  const { address, slot } = place ?? { address: '0x', slot: '0x' }
  const wrong = [
    getHistory(client, { address, slot, fromBlock: 5, toBlock: 4 }),
    getHistory(client, { address, slot, fromBlock: -1 }),
    getHistory(client, { address, slot, fromBlock: 2 ** 32 }),
    getValue(client, { system: cole, address, slot, asOf: 1.5 }),
    getValue(client, { system: 'cole' as unknown as typeof cole, address, slot }),
    getHistory(
      createClient({ chain: mainnet, anchor: { block: node.head.hash }, nodes: [node.url] }),
      {
        address,
        slot,
        fromBlock: 0,
      },
    ),
  ]
  for (const action of wrong) await expect(action).rejects.toBeInstanceOf(InputError)
})
