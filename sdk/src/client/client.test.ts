import { foundry } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { defineChain, devnet, hoodi, mainnet, sepolia } from './chains.js'
import { createClient } from './client.js'

const GENESIS = mainnet.genesisHash
const OPTIONS = { chain: mainnet, anchor: { block: GENESIS }, nodes: ['https://rpc.test'] }
const BLOCK = { block: GENESIS }
const CHECKPOINT = { checkpoint: GENESIS }
const ZERO = `0x${'0'.repeat(64)}`
const MAX_AGE = 'anchor.maxAgeSeconds'
const CONSENSUS = 'chain.consensus'
const SIGNED = { anchor: CHECKPOINT, beacons: ['https://b.test'] }
const UNSIGNED = defineChain({ name: 'own', kind: 'ethereum', chainId: 5, genesisHash: GENESIS })
const DEVNET = devnet(GENESIS, { committeeSize: 8, periodLength: 4 })

describe('createClient', () => {
  test('default: asks nothing of the network', () => {
    const fetch = (): never => {
      throw new Error('asked')
    }
    const client = createClient({ ...OPTIONS, fetch })
    expect(client.anchor).toEqual({ kind: 'block', hash: GENESIS })
    expect(client.nodes.map(({ name }) => name)).toEqual(['https://rpc.test'])
  })

  test.each<[string, object, string, string]>([
    ['no chain', { chain: undefined }, 'input.chain', 'chain'],
    ['a name for a chain', { chain: 'mainnet' }, 'input.chain', 'chain'],
    ['no anchor', { anchor: undefined }, 'input.anchor', 'anchor'],
    ['a hash for an anchor', { anchor: GENESIS }, 'input.option', 'anchor'],
    ['a short hash', { anchor: { block: '0x12' } }, 'input.anchor', 'anchor.block'],
    ['a number for a hash', { anchor: { block: 1 } }, 'input.anchor', 'anchor.block'],
    ['an unknown anchor', { anchor: { head: GENESIS } }, 'input.option', 'head'],
    ['two anchors', { anchor: { ...BLOCK, ...CHECKPOINT } }, 'input.anchor', 'anchor'],
    ['an age for a block', { anchor: { ...BLOCK, maxAgeSeconds: 1 } }, 'input.anchor', MAX_AGE],
    ['a zero checkpoint', { anchor: { checkpoint: ZERO } }, 'input.anchor', 'anchor.checkpoint'],
    ['no age', { anchor: { ...CHECKPOINT, maxAgeSeconds: 0 } }, 'input.option', MAX_AGE],
    ['a checkpoint without beacons', { anchor: CHECKPOINT }, 'input.node', 'beacons'],
    ['beacons that are no URLs', { anchor: CHECKPOINT, beacons: [1] }, 'input.node', 'beacons[0]'],
    ['beacons for a block', { beacons: ['https://b.test'] }, 'input.option', 'beacons'],
    ['a lag for a block', { maxHeadLagSeconds: 1 }, 'input.option', 'maxHeadLagSeconds'],
    ['a checkpoint without a consensus', { ...SIGNED, chain: UNSIGNED }, 'input.chain', CONSENSUS],
    ['beacons for a devnet', { ...SIGNED, chain: DEVNET }, 'input.option', 'beacons'],
    ['a store that is none', { ...SIGNED, store: new Map() }, 'input.option', 'store'],
    ['a negative lag', { ...SIGNED, maxHeadLagSeconds: -1 }, 'input.option', 'maxHeadLagSeconds'],
    ['no nodes', { nodes: undefined }, 'input.node', 'nodes'],
    ['an empty list', { nodes: [] }, 'input.node', 'nodes'],
    ['a string for a list', { nodes: 'https://rpc.test' }, 'input.node', 'nodes'],
    ['a relative URL', { nodes: ['https://rpc.test', '/rpc'] }, 'input.node', 'nodes[1]'],
    ['another protocol', { nodes: ['wss://rpc.test'] }, 'input.node', 'nodes[0]'],
    ['a fetch that is none', { fetch: 'fetch' }, 'input.option', 'fetch'],
    ['a timeout of 0', { timeoutMs: 0 }, 'input.option', 'timeoutMs'],
    ['a timeout in text', { timeoutMs: '10' }, 'input.option', 'timeoutMs'],
    ['an infinite cap', { maxBytes: Number.POSITIVE_INFINITY }, 'input.option', 'maxBytes'],
    ['half a retry', { retries: 0.5 }, 'input.option', 'retries'],
    ['a negative walk', { maxWalk: -1 }, 'input.option', 'maxWalk'],
    ['a misspelt option', { timeoutMS: 1 }, 'input.option', 'timeoutMS'],
  ])('error: %s', (_, change, code, argument) => {
    const make = (): unknown => createClient({ ...OPTIONS, ...change } as never)
    expect(make).toThrow(expect.objectContaining({ name: 'InputError', code, argument }))
  })
})

describe('chains', () => {
  test('default: ids and genesis hashes of the public networks', () => {
    expect([mainnet, sepolia, hoodi].map(({ chainId }) => chainId)).toEqual([1, 11155111, 560048])
    for (const chain of [mainnet, sepolia, hoodi]) expect(defineChain(chain)).toEqual(chain)
  })

  test('default: the devnet is named by its genesis', () => {
    expect(devnet(GENESIS)).toMatchObject({ kind: 'devnet', chainId: 19536, genesisHash: GENESIS })
    expect(() => devnet('0x')).toThrow(expect.objectContaining({ argument: 'chain.genesisHash' }))
  })

  test('default: what a node prints first is its devnet', () => {
    const consensus = { committeeSize: 8, periodLength: 16 }
    const line = {
      url: 'http://127.0.0.1:1',
      genesisHash: GENESIS,
      head: { number: 3 },
      samples: [],
    }
    expect(devnet(line)).toEqual(devnet(GENESIS))
    expect(devnet({ ...line, consensus })).toEqual(devnet(GENESIS, consensus))
    const lmpt = { format: 'lmpt/conflux' } as const
    const own = { ...line, chainId: 4711, systems: { lmpt } }
    expect(devnet(own)).toMatchObject({ name: 'devnet', chainId: 4711, systems: { lmpt } })
    const { genesisHash: _, ...other } = line
    const wrong = (): unknown => devnet(other as never)
    expect(wrong).toThrow(expect.objectContaining({ argument: 'chain.genesisHash' }))
  })

  test('default: a chain of viem, with the hash of its block 0', () => {
    const chain = defineChain({ ...foundry, genesisHash: GENESIS })
    expect(chain).toMatchObject({ kind: 'ethereum', chainId: 31337, genesisHash: GENESIS })
    expect(Object.keys(chain).sort()).toEqual(['chainId', 'genesisHash', 'kind', 'name', 'systems'])
    // @ts-expect-error: the hash of block 0 is missing, and only the caller has it.
    expect(() => defineChain(foundry)).toThrow(
      'chain.genesisHash: expected 0x and 64 hex digits, got undefined',
    )
  })

  test.each<[string, object]>([
    ['chain.name', { name: '' }],
    ['chain.kind', { kind: 'bitcoin' }],
    ['chain.chainId', { chainId: undefined }],
    ['chain.chainId', { chainId: '1' }],
    ['chain.genesisHash', { genesisHash: undefined }],
    ['chain.systems.mpt.format', { systems: { mpt: { format: 'mpt/2' } } }],
  ])('error: %s', (argument, change) => {
    const make = (): unknown => defineChain({ ...mainnet, ...change } as never)
    expect(make).toThrow(expect.objectContaining({ code: 'input.chain', argument }))
  })
})
