/** Latest values from a live lightproof-node, checked against the same chain's mpt proofs. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { lvmt } from '../../src/entry/lvmt.js'
import {
  type Client,
  createClient,
  type FollowedChain,
  fetchProof,
  getStorage,
  getValue,
  getValues,
  InputError,
  proven,
  verifyProofFile,
} from '../../src/entry/node.js'
import { chainOf, clientOf, expectCaught, type Place, placesOf } from '../support/liveChain.js'
import { type LiveNode, startNode } from '../support/liveNode.js'
import { fits } from '../support/schema.js'

const BLOCKS = 70

let node: LiveNode
let client: Client

beforeAll(async () => {
  node = await startNode(BLOCKS)
  client = clientOf(node)
})
afterAll(() => node.stop())

/** A slot that was written, but not in the newest blocks. */
async function written(): Promise<Place> {
  for (const key of placesOf(node)) {
    const result = await getValue(client, { system: lvmt, key })
    if (result.status === 'present' && result.block < BigInt(BLOCKS - 10)) return key
  }
  throw new Error('no such slot')
}

test('default: every slot has the value that mpt proves, in old and new blocks', async () => {
  for (const at of [BLOCKS - 63, BLOCKS - 20, BLOCKS]) {
    for (const key of placesOf(node)) {
      const result = await getValue(client, { system: lvmt, key, at })
      const byMpt = proven(await getStorage(client, { ...key, at }))
      const value = proven(result)
      // A cleared slot is an empty value.
      expect(value === undefined || value === '0x' ? 0n : BigInt(value)).toBe(byMpt)
      expect(result).toMatchObject({
        trust: { system: 'lvmt', variant: 'hybrid', setup: { insecure: true } },
      })
      if (result.status !== 'present') continue
      expect(result.version).toBeGreaterThan(0n)
      expect(result.block).toBeLessThanOrEqual(BigInt(at))
    }
  }
})

test('behavior: a slot that was never written is absent', async () => {
  const { address } = await written()
  const key = { address, slot: 0x1234567890n }
  const value = await getValue(client, { system: lvmt, key })
  expect(value).toMatchObject({ status: 'absent', value: undefined })
})

test('behavior: many keys in one proof, in every form', async () => {
  const keys = [...placesOf(node), '0x0123']
  const expected = proven(await getValues(client, { system: lvmt, keys }))
  expect(expected).toHaveLength(keys.length)
  for (const variant of ['kzg', 'fold', 'pairs'] as const) {
    const values = await getValues(client, { system: { ...lvmt, variants: [variant] }, keys })
    expect(values).toMatchObject({ status: 'proven', trust: { variant } })
    expect(proven(values)).toEqual(expected)
  }
})

test('behavior: a proof file is verified without a node', async () => {
  const file = await fetchProof(client, { system: lvmt, keys: placesOf(node) })
  expect(fits(file)).toBe(true)
  const result = await verifyProofFile(file, {
    anchor: { block: node.head.hash },
    chain: chainOf(node),
    systems: [lvmt],
  })
  expect(proven(result)).toEqual(
    proven(await getValues(client, { system: lvmt, keys: placesOf(node) })),
  )
})

test('error: lies about versions are invalid, with evidence', async () => {
  const key = await written()
  const lies = {
    'lvmt-stale': 'verify.opening',
    'lvmt-value': 'verify.merkle',
    'lvmt-point': 'verify.opening',
  }
  await expectCaught(node, lies, (liar) => getValue(liar, { system: lvmt, key }))
})

test('behavior: the node whose shard has the key is found, and no other is asked for it', async () => {
  // Slots' leaves have both parities.
  const shards = await Promise.all(['0/2', '1/2'].map((shard) => startShard(shard)))
  const [even, odd] = shards.map(({ url }) => url)
  if (even === undefined || odd === undefined) throw new Error('two nodes')
  const chain = chainOf(node)
  const anchor = { block: node.head.hash }
  try {
    const asked: string[] = []
    const fetching: typeof fetch = (url, init) => {
      if (String(init?.body).includes('lp_getProof')) asked.push(String(url).replace(/\/$/, ''))
      return fetch(url, init)
    }
    const both = createClient({ chain, anchor, nodes: [even, odd], fetch: fetching })
    const one = createClient({ chain, anchor, nodes: [even] })
    const byNode = new Map<string, Place[]>()
    for (const key of placesOf(node)) {
      asked.length = 0
      const result = await getValue(both, { system: lvmt, key })
      expect(proven(result)).toEqual(proven(await getValue(client, { system: lvmt, key })))
      const servedBy = 'trust' in result ? result.trust.servedBy : ''
      byNode.set(servedBy, [...(byNode.get(servedBy) ?? []), key])
      expect(asked).toEqual([servedBy])
      const found = servedBy === even ? {} : { tried: [{ node: even, code: 'shard' }] }
      expect(result).toMatchObject({ trust: found })
      const alone = await getValue(one, { system: lvmt, key })
      if (servedBy === even) expect(proven(alone)).toBe(proven(result))
      else expect(alone).toMatchObject({ status: 'unavailable', error: { code: 'shard' } })
    }
    expect([...byNode.keys()].sort()).toEqual([even, odd].sort())
    // Keys of one shard in one proof, those of both in one of each node.
    const keys = byNode.get(odd) ?? []
    const values = await getValues(both, { system: lvmt, keys })
    expect(values).toMatchObject({ status: 'proven', trust: { servedBy: odd } })
    expect(values).not.toHaveProperty('trust.alsoServedBy')
    asked.length = 0
    const all = placesOf(node)
    const mixed = await getValues(both, { system: lvmt, keys: all })
    expect(proven(mixed)).toEqual(proven(await getValues(client, { system: lvmt, keys: all })))
    expect(asked.slice(0, 2).sort()).toEqual([even, odd].sort())
    const served =
      'trust' in mixed ? [mixed.trust.servedBy, ...(mixed.trust.alsoServedBy ?? [])] : []
    expect(served).toEqual(asked.slice(0, 2))
    // Of a chain that follows another, each part was compared: the report counts all of them.
    const compared = { origin: 'proven', originState: 'equal', crossChecked: 2 } as const
    const follows: FollowedChain = {
      compare: async (_, found) => ({ ...found, value: { ...found.value, compared } }),
    }
    const counted = createClient({ chain, anchor, nodes: [even, odd], follows })
    expect(await getValues(counted, { system: lvmt, keys })).toMatchObject({ trust: compared })
    expect(await getValues(counted, { system: lvmt, keys: all })).toMatchObject({
      trust: { ...compared, crossChecked: 4 },
    })
    // What no node has is named.
    const half = await getValues(one, { system: lvmt, keys: all })
    expect(half).toMatchObject({ status: 'unavailable', error: { code: 'shard' } })
    if (half.status === 'unavailable') expect(half.error.message).toContain('not 1/2')
    // A node that does not say what it has refuses, and the next one is asked.
    const silent: typeof fetch = async (url, init) => {
      const reply = await fetch(url, init)
      const text = await reply.text()
      return new Response(text.replaceAll('"shard":{', '"was":{'), reply)
    }
    const [key] = keys
    const refused = createClient({ chain, anchor, nodes: [even, odd], fetch: silent })
    expect(await getValue(refused, { system: lvmt, key: key ?? '0x' })).toMatchObject({
      trust: { servedBy: odd, tried: [{ node: even, code: 'rpc.shard' }] },
    })
  } finally {
    for (const shard of shards) await shard.stop()
  }
})

const startShard = (shard: string): Promise<LiveNode> => startNode(BLOCKS, ['--shard', shard])

test('error: arguments', async () => {
  const wrong = [
    getValue(client, { system: lvmt, key: '0x' }),
    getValues(client, { system: lvmt, keys: [] }),
    getValues(client, { system: lvmt, keys: ['0x01', '0x01'] }),
  ]
  for (const action of wrong) await expect(action).rejects.toBeInstanceOf(InputError)
})
