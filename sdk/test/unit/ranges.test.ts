/** Logs of long ranges: how many requests they take, where they end, and how they go on. */

import { describe, expect, test } from 'vitest'
import { type BlockLog, getLogs, type Logs } from '../../src/entry/blocks.js'
import { createProvider } from '../../src/entry/eip1193.js'
import { getBlock, proven } from '../../src/entry/node.js'
import { bodyChain, item, TOKEN, TRANSFER, topic } from '../support/bodies.js'
import { honest, makeChain } from '../support/chain.js'
import { ASKING, clientOf } from '../support/client.js'
import { type Methods, ScriptedError } from '../support/rpc.js'

/** A block has a log if its number is a multiple of this. */
const STEP = 50
const LENGTH = 201
const bodies = Array.from({ length: LENGTH }, (_, i) =>
  i % STEP === 0
    ? [item(2, BigInt(i), 21_000n, [{ address: TOKEN, topics: [TRANSFER], data: '0x01' }])]
    : [],
)
const { chain, methods } = bodyChain(bodies)
const range = { fromBlock: 1, toBlock: LENGTH - 1, address: TOKEN } as const
const NUMBERS = [50n, 100n, 150n, 200n]

const numbersOf = ({ logs }: { readonly logs: readonly BlockLog[] }): bigint[] =>
  logs.map(({ blockNumber }) => blockNumber)

/** Answers headers alone, as geth does. */
const ALONE: Methods = {
  ...methods,
  eth_getHeaderByNumber: (number: string) => {
    const json: object = chain.at(Number(number)).json
    const isHeader = ([name]: [string, unknown]): boolean =>
      !/^(uncles|size|withdrawals)$/.test(name)
    return Object.fromEntries(Object.entries(json).filter(isHeader))
  },
}

describe('requests', () => {
  const count = async (node: Methods) => {
    const { client, calls, exchanges } = clientOf(chain, [node], ASKING)
    const found = proven(await getLogs(client, { ...range, hashes: false }))
    expect(numbersOf(found)).toEqual(NUMBERS)
    const receipts = calls.filter((method) => method === 'eth_getBlockReceipts').length
    expect(receipts).toBe(NUMBERS.length)
    // Without the chain id, the pinned header and receipts.
    return { headers: calls.length - 2 - receipts, exchanges: exchanges.length - 2 - receipts }
  }

  test('behavior: 200 blocks of a node that serves headers only in blocks', async () => {
    // 199 headers in chunks of 96, 96 and 7; each chunk in exchanges of 32. The question whether
    // the node serves headers alone is asked once.
    expect(await count(methods)).toEqual({ headers: 200, exchanges: 8 })
  })

  test('behavior: 200 blocks of a node that serves headers alone', async () => {
    const { headers, exchanges } = await count(ALONE)
    expect(headers).toBe(199)
    expect(exchanges).toBeLessThanOrEqual(8)
  })

  test('behavior: a range of two blocks takes one header beside the pinned one', async () => {
    const { client, calls } = clientOf(chain, [methods], ASKING)
    proven(await getLogs(client, { fromBlock: 198, toBlock: 199, topics: [topic(7)] }))
    expect(calls).toHaveLength(4)
  })
})

test('behavior: 10,000 blocks with the default options, on a chain without EIP-2935', async () => {
  const long = makeChain(10_001, 'ethereum')
  const byId = new Map(
    long.blocks.flatMap((block, i) => [
      [block.hash as string, block.json] as const,
      [`0x${i.toString(16)}`, block.json] as const,
    ]),
  )
  const find = (id: string) => byId.get(id) ?? null
  const node = honest(long, { eth_getBlockByNumber: find, eth_getBlockByHash: find })
  const { client, exchanges } = clientOf(long, [node], ASKING)
  const found = proven(await getLogs(client, { fromBlock: 1, toBlock: 10_000, address: TOKEN }))
  expect(found).toMatchObject({ logs: [], complete: true, fromBlock: 1n, toBlock: 10_000n })
  expect(exchanges.length).toBeLessThan(10_000 / 32 + 10)
  // A block alone is looked for as far back as the client allows.
  expect(await getBlock(client, { block: 0 })).toMatchObject({ error: { code: 'walk' } })
})

describe('what is covered', () => {
  test('behavior: a range that ends beyond the newest trusted block is cut, and says so', async () => {
    const { client } = clientOf(chain, [methods], ASKING)
    const found = proven(await getLogs(client, { ...range, fromBlock: 150, toBlock: 5_000 }))
    expect(found).toMatchObject({ complete: true, by: 'receipts', fromBlock: 150n, toBlock: 200n })
    expect(numbersOf(found)).toEqual([150n, 200n])
  })

  test('unavailable: a range that begins beyond it', async () => {
    const { client } = clientOf(chain, [methods], ASKING)
    const result = await getLogs(client, { ...range, fromBlock: 201, toBlock: 300 })
    expect(result).toMatchObject({ status: 'unavailable', error: { code: 'untrusted' } })
    expect(result.covered).toBeUndefined()
  })

  test('error: a provider cuts no range: its answer could not say so', async () => {
    const { client } = clientOf(chain, [methods], ASKING)
    const params = [{ fromBlock: '0x96', toBlock: '0xff', address: TOKEN }]
    const asked = createProvider(client).request({ method: 'eth_getLogs', params })
    await expect(asked).rejects.toMatchObject({ data: { code: 'untrusted' } })
  })

  const hidden = chain.at(100).hash
  const find = methods['eth_getBlockReceipts'] as (id: string) => unknown
  const whole = async (): Promise<Logs> =>
    proven(await getLogs(clientOf(chain, [methods], ASKING).client, range))

  test.each<[string, (id: string) => unknown, string]>([
    [
      'unavailable: one block',
      (id) => {
        if (id === hidden) throw new ScriptedError(-32000, 'pruned')
        return find(id)
      },
      'unavailable',
    ],
    ['invalid: one block', (id) => find(id === hidden ? chain.at(49).hash : id), 'invalid'],
  ])('%s; what was covered is kept, and the search goes on below it', async (_, tell, status) => {
    let isBad = true
    const eth_getBlockReceipts = (id: string) => (isBad ? tell(id) : find(id))
    const node = { ...methods, eth_getBlockReceipts }
    const { client } = clientOf(chain, [node], ASKING)
    const result = await getLogs(client, range)
    expect(result.status).toBe(status)
    const { covered } = result
    if (covered === undefined) throw new Error('nothing was covered')
    expect(covered).toMatchObject({ complete: true, fromBlock: 101n, toBlock: 200n })
    expect(numbersOf(covered)).toEqual([150n, 200n])
    isBad = false
    const toBlock = covered.fromBlock - 1n
    const rest = proven(await getLogs(client, { ...range, toBlock }))
    expect([...rest.logs, ...covered.logs]).toEqual((await whole()).logs)
  })

  test('behavior: aborted in the middle, it goes on from what its progress told', async () => {
    const { client, calls } = clientOf(chain, [methods], ASKING)
    const abort = new AbortController()
    const told: BlockLog[] = []
    let lowest = 0n
    const search = getLogs(client, {
      ...range,
      signal: abort.signal,
      onProgress: ({ block, logs }) => {
        told.unshift(...logs)
        lowest = block
        if (block === 120n) abort.abort(new Error('enough'))
      },
    })
    await expect(search).rejects.toThrow('enough')
    expect(lowest).toBe(120n)
    const before = calls.length
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(calls).toHaveLength(before)
    const rest = proven(await getLogs(client, { ...range, toBlock: lowest - 1n }))
    expect([...rest.logs, ...told]).toEqual((await whole()).logs)
  })
})
