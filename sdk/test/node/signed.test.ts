/** A live devnet with signed headers: from a checkpoint to proven accounts. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ClientOptions,
  createClient,
  devnet,
  fetchProof,
  getBalance,
  getBlock,
  memoryStore,
  proven,
  type Synced,
  sync,
  verifyProofFile,
} from '../../src/entry/node.js'
import { type LiveNode, listLies, lying, startNode } from '../support/liveNode.js'

const SIGNED = ['--committee-size', '32', '--period', '16']
const BLOCKS = 100

let node: LiveNode
let liar: LiveNode

beforeAll(async () => {
  node = await startNode(BLOCKS, SIGNED)
  liar = await startNode(BLOCKS, SIGNED)
})
afterAll(() => Promise.all([node, liar].map((one) => one.stop())))

/** The checkpoint is the genesis block: all periods lie ahead. */
function clientOf(urls: readonly string[], options: Partial<ClientOptions> = {}) {
  return createClient({
    chain: devnet(node.genesisHash, node.consensus),
    anchor: { checkpoint: node.genesisHash, maxAgeSeconds: Number.POSITIVE_INFINITY },
    nodes: urls,
    retries: 0,
    ...options,
  })
}

function address(): string {
  const [sample] = node.samples
  if (sample === undefined) throw new Error('no sample')
  return sample.address
}

describe('a signed devnet', () => {
  test('default: from the genesis over all periods to the newest block', async () => {
    const client = clientOf([node.url])
    const result = await getBalance(client, { address: address() })
    expect(proven(result)).toBeGreaterThan(0n)
    expect(result).toMatchObject({
      trust: {
        block: { number: BigInt(BLOCKS), hash: node.head.hash },
        finality: 'finalized',
        anchor: { kind: 'checkpoint', hash: node.genesisHash },
        participation: { of: 32 },
      },
    })
    const synced = (await sync(client)) as Synced
    expect(synced).toMatchObject({ status: 'synced', period: BigInt(Math.floor(BLOCKS / 16)) })
    expect(synced.head).toEqual(synced.finalized)
  })

  test('behavior: older blocks are reached by their hashes, newer ones are not trusted', async () => {
    const client = clientOf([node.url])
    const block = await getBlock(client, { block: 40 })
    expect(block).toMatchObject({ status: 'present', trust: { finality: 'ancestor' } })
    const newer = await getBlock(client, { block: BLOCKS + 1 })
    expect(newer).toMatchObject({ status: 'unavailable', error: { code: 'untrusted' } })
  })

  test('behavior: a proof file is checked against the signed block', async () => {
    const client = clientOf([node.url])
    const file = await fetchProof(client, { address: address() })
    const anchor = { block: node.head.hash }
    const read = await verifyProofFile(JSON.parse(JSON.stringify(file)), { anchor })
    expect(read).toMatchObject({ status: 'present' })
  })

  test('behavior: a store takes the place of all periods', async () => {
    const store = memoryStore()
    const first = (await sync(clientOf([node.url], { store }))) as Synced
    const again = (await sync(clientOf([node.url], { store }))) as Synced
    expect(again.finalized).toEqual(first.finalized)
    expect(again.anchor).toMatchObject({ hash: node.genesisHash })
  })

  test('error: a checkpoint that is not of this chain', async () => {
    const anchor = { checkpoint: `0x${'22'.repeat(32)}`, maxAgeSeconds: Number.POSITIVE_INFINITY }
    const synced = await sync(clientOf([node.url], { anchor }))
    expect(synced).toMatchObject({ status: 'unavailable', error: { code: 'checkpoint' } })
  })

  test.each(listLies('--signatures'))('error: $name: $about', async ({ name }) => {
    const { url } = lying(liar, name)
    const alone = await getBalance(clientOf([url]), { address: address() })
    if (alone.status === 'present') {
      // A lie that only holds back: what is proven is of the same chain all the same.
      expect(alone.trust.block.number).toBeLessThanOrEqual(BigInt(BLOCKS))
    } else {
      expect(alone.status).toMatch(/^(invalid|unavailable)$/)
    }
    const both = await getBalance(clientOf([url, node.url]), { address: address() })
    expect(both).toMatchObject({ status: 'present', trust: { finality: 'finalized' } })
  })
})
