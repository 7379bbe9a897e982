/** The SDK against a live lightproof-node: the truth is proven, and none of its lies ever is. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Block,
  type Client,
  createClient,
  devnet,
  fetchProof,
  getAccount,
  getBalance,
  getBlock,
  getCode,
  getNonce,
  getStorage,
  proven,
  type Result,
  resultToJson,
  verifyProofFile,
} from '../../src/entry/node.js'
import {
  type LiveNode,
  listLies,
  lying,
  type Ready,
  type Sample,
  startNode,
} from '../support/liveNode.js'

const BLOCKS = 24
const OLD = 5

let honest: LiveNode
let dishonest: LiveNode

beforeAll(async () => {
  honest = await startNode(BLOCKS)
  dishonest = await startNode(BLOCKS)
})
afterAll(() => Promise.all([honest, dishonest].map((one) => one.stop())))

/** A client that knows the chain and its head from the honest node, and asks others. */
function clientOf(nodes: readonly Ready[]): Client {
  const anchor = { block: honest.head.hash }
  const urls = nodes.map(({ url }) => url)
  const chain = devnet(honest.genesisHash, honest.consensus)
  // What one question proved, the next one shall not be spared.
  return createClient({ chain, anchor, nodes: urls, retries: 0, cacheBytes: 0 })
}

type Answer = Result<unknown, unknown>

/** Everything that a wallet may ask about an account. */
async function askAll(client: Client, { address, slots }: Sample, at: number): Promise<Answer[]> {
  const of = { address, at }
  const values = [getBalance(client, of), getNonce(client, of), getCode(client, of)]
  const stored = slots.map((slot) => getStorage(client, { ...of, slot }))
  return Promise.all<Answer>([getAccount(client, of), ...values, ...stored])
}

async function askSamples(client: Client): Promise<Answer[]> {
  const blocks: Answer[] = [await getBlock(client), await getBlock(client, { block: OLD })]
  const answers: Answer[][] = []
  for (const sample of honest.samples) {
    answers.push(await askAll(client, sample, honest.head.number))
    answers.push(await askAll(client, sample, OLD))
  }
  return [...blocks, ...answers.flat()]
}

async function askMany(client: Client): Promise<boolean[]> {
  const files = honest.samples.map(async ({ address, slots }) => {
    const file = await fetchProof(client, { address, slots, code: true, at: OLD })
    const { status } = await verifyProofFile(file, { anchor: { block: honest.head.hash } })
    return status === 'present' || status === 'absent'
  })
  const settled = await Promise.allSettled(files)
  return settled.map((outcome) => {
    if (outcome.status === 'fulfilled') return outcome.value
    expect(outcome.reason).toMatchObject({ name: expect.stringMatching(/Proof|Unavailable/) })
    return false
  })
}

/** What a plain JSON-RPC client would be told by the honest node. */
async function rpc(method: string, params: readonly unknown[]): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(honest.url, { method: 'POST', headers, body })
  const { result } = (await response.json()) as { result: string }
  return result
}

describe('an honest node', () => {
  test('default: what is proven is what the node says by plain JSON-RPC', async () => {
    const client = clientOf([honest])
    const seen = { present: 0, absent: 0 }
    for (const { address, slots } of honest.samples) {
      for (const at of [honest.head.number, OLD, 0]) {
        const tag = `0x${at.toString(16)}`
        const of = { address, at }
        expect(proven(await getBalance(client, of))).toBe(
          BigInt(await rpc('eth_getBalance', [address, tag])),
        )
        expect(proven(await getNonce(client, of))).toBe(
          BigInt(await rpc('eth_getTransactionCount', [address, tag])),
        )
        expect(proven(await getCode(client, of))).toBe(await rpc('eth_getCode', [address, tag]))
        for (const slot of slots) {
          const result = await getStorage(client, { ...of, slot })
          const told = BigInt(await rpc('eth_getStorageAt', [address, slot, tag]))
          expect(proven(result)).toBe(told)
          if (result.status === 'present') seen.present++
          if (result.status === 'absent') seen.absent++
        }
      }
    }
    expect(seen.present).toBeGreaterThan(0)
    expect(seen.absent).toBeGreaterThan(0)
  })

  test('default: every kind of sample is there, absence included', async () => {
    const client = clientOf([honest])
    const accounts = await Promise.all(
      honest.samples.map(async ({ kind, address }) => {
        const { status } = await getAccount(client, { address })
        return `${kind} ${status}`
      }),
    )
    expect([...new Set(accounts)].sort()).toEqual([
      'absent absent',
      'contract present',
      'eoa present',
    ])
  })

  test('default: the whole chain back to the genesis block', async () => {
    const client = clientOf([honest])
    const genesis: Block = proven(await getBlock(client, { block: 0 }))
    expect(genesis.hash).toBe(honest.genesisHash)
    const headers = client.lines[0]?.headers ?? []
    const parents = headers.slice(0, -1).map(({ parentHash }) => parentHash)
    expect(parents).toEqual(headers.slice(1).map(({ hash }) => hash))
  })

  test('default: proof files of everything hold offline', async () => {
    expect(await askMany(clientOf([honest]))).toEqual(honest.samples.map(() => true))
  })

  test('error: an unknown pin is unavailable', async () => {
    const anchor = { block: `0x${'12'.repeat(32)}` }
    const chain = devnet(honest.genesisHash, honest.consensus)
    const client = createClient({ chain, anchor, nodes: [honest.url] })
    const result = await getBalance(client, { address: `0x${'00'.repeat(20)}` })
    expect(result).toMatchObject({ status: 'unavailable', error: { code: 'block' } })
  })
})

describe('lies', () => {
  /** Values at the pin and at an old block, as the honest node proves them. */
  let truth: Answer[]

  beforeAll(async () => {
    truth = await askSamples(clientOf([honest]))
  })

  const essence = (answer: Answer): unknown =>
    'value' in answer ? resultToJson(answer)['value'] : undefined

  test.each(listLies('mpt', 'headers'))('$name: $about', async ({ name }) => {
    const liar = lying(dishonest, name)
    const answers = await askSamples(clientOf([liar]))
    const counts: Record<string, number> = {}
    answers.forEach((answer, i) => {
      const expected = truth[i]
      if (expected === undefined) throw new Error('more answers than questions')
      const isProven = answer.status === 'present' || answer.status === 'absent'
      if (isProven) {
        expect(answer.status).toBe(expected.status)
        expect(essence(answer)).toEqual(essence(expected))
      }
      const kind = isProven ? 'true' : `${answer.status} ${answer.error.code}`
      counts[kind] = (counts[kind] ?? 0) + 1
    })
    expect(answers).toHaveLength(truth.length)
    const files = (await askMany(clientOf([liar]))).filter(Boolean).length
    // forged-child lies about a block that no pinned client ever asks for.
    const noticed = Object.keys(counts).some((kind) => kind !== 'true')
    expect(noticed || files < honest.samples.length || name === 'forged-child').toBe(true)
    console.log(`${name}: ${JSON.stringify(counts)}, ${files} true files`)

    const both = await askSamples(clientOf([liar, honest]))
    expect(both.map(essence)).toEqual(truth.map(essence))
  })

  test('forged-child: a block on top of the pin is untrusted', async () => {
    const liar = lying(dishonest, 'forged-child')
    const client = clientOf([liar])
    const hash = await headOf(liar)
    for (const block of [honest.head.number + 1, hash]) {
      const result = await getBlock(client, { block })
      if (result.status === 'present') expect(result.value.hash).toBe(honest.head.hash)
      else expect(result.status).toMatch(/^(unavailable|invalid)$/)
    }
  })

  async function headOf({ url }: Ready): Promise<string> {
    const params = ['latest', false]
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body })
    const { result } = (await response.json()) as { result: { hash: string } }
    return result.hash
  }
})
