/**
 * Transactions, receipts, logs and fees as a provider answers them, from honest and lying nodes.
 */

import { createPublicClient } from 'viem'
import { describe, expect, test, vi } from 'vitest'
import { trustNode } from '../../src/entry/dev.js'
import { createProvider, ProviderRpcError, type RecoverAddress } from '../../src/entry/eip1193.js'
import { lightproof } from '../../src/entry/viem.js'
import { bodyChain, item, OTHER, TOKEN, TRANSFER, topic } from '../support/bodies.js'
import { ASKING, clientOf } from '../support/client.js'
import type { Methods } from '../support/rpc.js'

type Json = Record<string, unknown>
type Find = (id: string, full: boolean) => { readonly transactions: Json[] } & Json

const log = (address: `0x${string}`, ...topics: `0x${string}`[]) => ({
  address,
  topics,
  data: '0xbeef' as const,
})
const first = [
  item(0, 0n, 21_000n, [log(TOKEN, TRANSFER, topic(1), topic(2))]),
  item(1, 1n, 50_000n, [log(TOKEN, TRANSFER, topic(2), topic(1)), log(OTHER, topic(9))]),
  item(2, 2n, 71_000n, []),
  item(3, 3n, 92_000n, [log(OTHER)]),
  item(4, 4n, 113_000n, [log(TOKEN, TRANSFER, topic(1), topic(3))]),
  item(2, 5n, 134_000n, [], null),
]
const second = [item(2, 9n, 21_000n, [log(OTHER, TRANSFER, topic(1), topic(2))])]
const { chain, methods: lists } = bodyChain([[], first, [], second])
const { hash: blockHash } = chain.at(1)
const hashOf = (i: number): string => first[i]?.transaction['hash'] as string

/** An honest node. */
const methods: Methods = {
  ...lists,
  eth_getTransactionByHash: (hash: string) => {
    const at = first.findIndex(({ transaction }) => transaction['hash'] === hash)
    if (at < 0) return null
    return { blockHash, blockNumber: '0x1', transactionIndex: `0x${at.toString(16)}` }
  },
}

/** A stand-in: any function of what was signed shows whose result is used. */
const recoverAddress: RecoverAddress = ({ hash }) => `0x${hash.slice(26)}`

const providerOf = (nodes: readonly Methods[], options: object = {}) => {
  const { client, calls } = clientOf(chain, nodes, ASKING)
  return { provider: createProvider(client, options), calls }
}
/** Its newest block may change, so what is not shown may come. */
const movingProvider = (nodes: readonly Methods[]) => {
  const honest: Methods = methods
  const byNumber = (number: never, full: never): unknown =>
    number === 'latest' ? chain.head.json : honest['eth_getBlockByNumber']?.(number, full)
  const anchor = trustNode('http://n1')
  const moving = nodes.map((node) => ({ ...node, eth_getBlockByNumber: byNumber }))
  return createProvider(clientOf(chain, moving, { ...ASKING, anchor }).client)
}
const ask = async (method: string, params: unknown[], nodes = [methods], options = {}) =>
  (await providerOf(nodes, options).provider.request({ method, params })) as Json

async function failure(work: Promise<unknown>): Promise<ProviderRpcError> {
  const error = await work.then(
    (value) => new Error(`passed: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  )
  if (error instanceof ProviderRpcError) return error
  throw error
}

describe('what is proven', () => {
  test('a header alone, by number and by hash; null beyond the newest trusted block', async () => {
    const { uncles: _, size: __, withdrawals: ___, ...fields } = chain.at(1).json as Json
    expect(await ask('eth_getHeaderByNumber', ['0x1'])).toEqual(fields)
    expect(await ask('eth_getHeaderByHash', [blockHash])).toEqual(fields)
    expect(await ask('eth_getHeaderByNumber', ['0x99'])).toBeNull()
  })

  test('a block with hashes, and with transactions', async () => {
    const header = chain.at(1).json
    const { uncles: _, size: __, ...fields } = header as Json
    for (const [method, id] of [
      ['eth_getBlockByNumber', '0x1'],
      ['eth_getBlockByHash', blockHash],
    ] as const) {
      const transactions = first.map(({ transaction }) => transaction['hash'])
      expect(await ask(method, [id, false])).toEqual({ ...fields, transactions })
      const full = await ask(method, [id, true])
      expect(full['transactions']).toHaveLength(6)
      for (const [i, found] of (full['transactions'] as Json[]).entries()) {
        const place = { blockHash, blockNumber: '0x1', transactionIndex: `0x${i}` }
        expect(found).toMatchObject({ ...first[i]?.transaction, ...place })
        expect(found).not.toHaveProperty('from')
        expect(found).not.toHaveProperty('signingHash')
      }
    }
  })

  test('counts, and what lies beyond', async () => {
    expect(await ask('eth_getBlockTransactionCountByNumber', ['0x1'])).toBe('0x6')
    expect(await ask('eth_getBlockTransactionCountByHash', [blockHash])).toBe('0x6')
    expect(await ask('eth_getBlockTransactionCountByNumber', ['0x2'])).toBe('0x0')
    expect(await ask('eth_getTransactionByBlockNumberAndIndex', ['0x1', '0x6'])).toBe(null)
    expect(await ask('eth_getBlockByNumber', ['0x63', false])).toBe(null)
    expect(await ask('eth_getBlockReceipts', ['0x63'])).toBe(null)
  })

  test('a transaction and its receipt; the sender where it can be recovered', async () => {
    const place = { blockHash, blockNumber: '0x1', transactionIndex: '0x5' }
    const bare = await ask('eth_getTransactionByHash', [hashOf(5)])
    expect(bare).toMatchObject({ ...first[5]?.transaction, ...place })
    expect(bare).not.toHaveProperty('from')
    const full = await ask('eth_getTransactionByHash', [hashOf(5)], [methods], { recoverAddress })
    expect(full['from']).toMatch(/^0x[0-9a-f]{40}$/)
    for (const [method, params] of [
      ['eth_getTransactionByBlockNumberAndIndex', ['0x1', '0x5']],
      ['eth_getTransactionByBlockHashAndIndex', [blockHash, '0x5']],
    ] as const) {
      expect(await ask(method, [...params], [methods], { recoverAddress })).toEqual(full)
    }
    const receipt = await ask('eth_getTransactionReceipt', [hashOf(5)])
    expect(receipt).toMatchObject({ transactionHash: hashOf(5), ...place, gasUsed: '0x5208' })
    expect(receipt).toMatchObject({ status: '0x1', effectiveGasPrice: '0x9', to: null })
    // It made a contract: where follows from the sender.
    expect(receipt).not.toHaveProperty('from')
    expect(receipt).not.toHaveProperty('contractAddress')
    const made = await ask('eth_getTransactionReceipt', [hashOf(5)], [methods], { recoverAddress })
    expect(made).toMatchObject({ from: full['from'] })
    expect(made['contractAddress']).toMatch(/^0x[0-9a-f]{40}$/)
    const all = (await ask('eth_getBlockReceipts', ['0x1'], [methods], {
      recoverAddress,
    })) as unknown as Json[]
    expect(all[5]).toEqual(made)
    expect(all[0]).toMatchObject({ contractAddress: null })
    const unknown = { method: 'eth_getTransactionReceipt', params: [topic(8)] }
    expect(await movingProvider([methods]).request(unknown)).toBe(null)
  })

  test('logs of a range, of a block, and of nobody', async () => {
    const range = { fromBlock: 'earliest', toBlock: 'latest' }
    const found = (await ask('eth_getLogs', [{ ...range, address: TOKEN }])) as unknown as Json[]
    expect(found).toMatchObject([
      { logIndex: '0x0', transactionHash: hashOf(0), blockNumber: '0x1', removed: false },
      { logIndex: '0x1', transactionHash: hashOf(1), transactionIndex: '0x1', blockHash },
      { logIndex: '0x4', transactionHash: hashOf(4), data: '0xbeef' },
    ])
    expect(await ask('eth_getLogs', [{ blockHash, address: TOKEN, topics: [] }])).toEqual(found)
    expect(await ask('eth_getLogs', [{ ...range, topics: [topic(7)] }])).toEqual([])
    const both = ask('eth_getLogs', [{ blockHash, fromBlock: '0x1' }])
    expect(await failure(both)).toMatchObject({ code: -32602 })
  })

  test('fees: tips of transactions, and the next base fee', async () => {
    // Tips of 23, 23, 2, 2, 2, 2 in block 1, and 2 in block 3; the block is empty, so the base fee
    // falls.
    expect(await ask('eth_maxPriorityFeePerGas', [])).toBe('0x2')
    expect(await ask('eth_gasPrice', [])).toBe('0x9')
    expect(await ask('eth_feeHistory', ['0x2', '0x1', [0, 50, 100]])).toEqual({
      oldestBlock: '0x0',
      baseFeePerGas: ['0x7', '0x7', '0x7'],
      gasUsedRatio: [0, 0],
      reward: [
        ['0x0', '0x0', '0x0'],
        ['0x2', '0x2', '0x17'],
      ],
    })
    const many = ask('eth_feeHistory', ['0x21', 'latest', [50]])
    expect(await failure(many)).toMatchObject({ code: -32005 })
  })

  test('filters need heads that move; none of them goes to a node', async () => {
    const { provider, calls } = providerOf([methods], { verify: 'off' })
    for (const method of ['eth_newFilter', 'eth_newBlockFilter']) {
      const made = provider.request({ method, params: [{}] })
      expect(await failure(made)).toMatchObject({ code: 4200 })
    }
    for (const method of ['eth_getFilterChanges', 'eth_getFilterLogs']) {
      const read = provider.request({ method, params: ['0x1'] })
      expect(await failure(read)).toMatchObject({ code: -32000, message: 'filter not found' })
    }
    expect(await provider.request({ method: 'eth_uninstallFilter', params: ['0x1'] })).toBe(false)
    expect(calls).toEqual([])
  })

  test('behavior: viem over the bare provider sees the transactions of a block', async () => {
    const { client } = clientOf(chain, [methods], ASKING)
    const viem = createPublicClient({ transport: lightproof(client, { recoverAddress }) })
    const block = await viem.getBlock({ blockNumber: 1n })
    expect(block.transactions).toEqual(first.map(({ transaction }) => transaction['hash']))
    const receipt = await viem.getTransactionReceipt({ hash: hashOf(0) as `0x${string}` })
    expect(receipt).toMatchObject({ status: 'success', gasUsed: 21_000n, blockNumber: 1n })
  })
})

describe('lies', () => {
  const receiptsOf = (change: (all: Json[]) => unknown): Methods => ({
    eth_getBlockReceipts: (id: string) =>
      id === blockHash ? change(first.map(({ receipt }) => ({ ...receipt }))) : [],
  })
  const blockOf = (change: (all: Json[]) => unknown): Methods => ({
    eth_getBlockByHash: (id: string, full: boolean) => {
      const block = (lists['eth_getBlockByHash'] as unknown as Find)(id, full)
      return full && id === blockHash
        ? { ...block, transactions: change([...block.transactions]) }
        : block
    },
  })
  const changed = (all: Json[], at: number, change: Json): Json[] =>
    all.map((each, i) => (i === at ? { ...each, ...change } : each))
  const placed = (overrides: Json): Methods => ({
    eth_getTransactionByHash: () => ({
      blockHash,
      blockNumber: '0x1',
      transactionIndex: '0x0',
      ...overrides,
    }),
  })
  const junk = (count: number) =>
    Array.from({ length: count }, () => ({ ...log(OTHER, topic(4)), data: `0x${'ee'.repeat(32)}` }))

  /** Logs of the most JSON that a client reads by default, 4 MiB, but for a few kB. */
  const JUNK = 19_600

  const receipt = ['eth_getTransactionReceipt', [hashOf(0)]] as const
  const logs = ['eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x1', address: TOKEN }]] as const
  const block = ['eth_getBlockByNumber', ['0x1', true]] as const
  const hashes = ['eth_getBlockByNumber', ['0x1', false]] as const
  const count = ['eth_getBlockTransactionCountByNumber', ['0x1']] as const

  test.each<[string, readonly [string, readonly unknown[]], Methods, string]>([
    [
      'a receipt of another transaction',
      receipt,
      placed({ transactionIndex: '0x1' }),
      'verify.claim',
    ],
    [
      'a receipt of another block',
      receipt,
      placed({ blockHash: chain.at(3).hash, blockNumber: '0x3' }),
      'verify.claim',
    ],
    [
      'receipts of another block under the true header',
      receipt,
      receiptsOf(() => second.map((each) => each.receipt)),
      'verify.root',
    ],
    [
      'a failed transaction as succeeded',
      receipt,
      receiptsOf((all) => changed(all, 0, { status: '0x0' })),
      'verify.root',
    ],
    ['a log left out', logs, receiptsOf((all) => changed(all, 0, { logs: [] })), 'verify.root'],
    [
      'a log moved to another receipt',
      logs,
      receiptsOf((all) =>
        changed(changed(all, 0, { logs: [] }), 2, { logs: first[0]?.receipt['logs'] }),
      ),
      'verify.root',
    ],
    ['no receipts', logs, receiptsOf(() => []), 'verify.root'],
    [
      'a bloom that is not the header’s',
      logs,
      receiptsOf((all) => changed(all, 0, { logsBloom: `0x${'00'.repeat(256)}` })),
      'verify.root',
    ],
    [
      '4 MiB of junk logs',
      logs,
      receiptsOf((all) => changed(all, 0, { logs: junk(JUNK) })),
      'verify.root',
    ],
    ['a transaction dropped', block, blockOf((all) => all.slice(1)), 'verify.root'],
    ['no transactions', block, blockOf(() => []), 'verify.root'],
    ['no hashes', hashes, blockOf(() => []), 'verify.root'],
    ['a transaction less', count, blockOf((all) => all.slice(0, -1)), 'verify.root'],
    ['two exchanged', hashes, blockOf(([a, b, ...rest]) => [b, a, ...rest]), 'verify.root'],
    [
      'a typed transaction in the wrong envelope',
      block,
      blockOf((all) => changed(all, 2, { type: '0x1', gasPrice: '0x9' })),
      'verify.root',
    ],
    [
      'another receiver',
      ['eth_getTransactionByHash', [hashOf(0)]],
      blockOf((all) => changed(all, 0, { to: OTHER })),
      'verify.root',
    ],
    [
      'tips that nobody paid',
      ['eth_feeHistory', ['0x1', '0x1', [50]]],
      blockOf((all) => changed(all, 2, { maxPriorityFeePerGas: '0xffffff' })),
      'verify.root',
    ],
  ])(
    '%s: refused alone, and right beside an honest node',
    async (_, [method, params], lie, code) => {
      const liar = { ...methods, ...lie }
      const alone = await failure(ask(method, [...params], [liar]))
      expect(alone).toMatchObject({ code: -32070, data: { code, node: 'http://n1' } })
      const right = await ask(method, [...params])
      expect(await ask(method, [...params], [liar, methods])).toEqual(right)
    },
  )

  test.each([
    [
      'a few kB less than 4 MiB of junk logs are parsed as often as asked for',
      JUNK,
      2,
      'verify.root',
    ],
    ['more than 4 MiB of junk logs are never parsed', 20_000, 0, 'unreachable'],
  ])('%s', async (_, count, times, code) => {
    const [receipt, ...rest] = first.map((each) => each.receipt)
    const receipts = [{ ...receipt, logs: junk(count) }, ...rest]
    const size = JSON.stringify(receipts).length
    expect(Math.abs(size / 2 ** 22 - 1)).toBeLessThan(0.02)
    expect(size > 2 ** 22).toBe(times === 0)
    const { provider, calls } = providerOf([{ ...methods, eth_getBlockReceipts: () => receipts }])
    const parsed: number[] = []
    const parse = JSON.parse
    const spy = vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
      parsed.push(String(text).length)
      return parse(text, reviver)
    })
    try {
      const [method, params] = logs
      const refused = await failure(provider.request({ method, params: [...params] }))
      expect(refused.data).toMatchObject({ code })
      expect(refused.message.length).toBeLessThan(1_000)
    } finally {
      spy.mockRestore()
    }
    // Twice: a node may have answered of another block by mistake, or not have taken a batch.
    expect(calls.filter((method) => method === 'eth_getBlockReceipts')).toHaveLength(2)
    // Nothing else of that size is made of it: no verdict, no log.
    expect(parsed.filter((length) => length > 65_536)).toHaveLength(times)
  })

  test('a liar who names a place is no answer beside a node that knows of none', async () => {
    const unaware = { ...methods, eth_getTransactionByHash: () => null }
    const liar = { ...methods, ...placed({ transactionIndex: '0x1' }) }
    for (const method of ['eth_getTransactionReceipt', 'eth_getTransactionByHash']) {
      const question = { method, params: [hashOf(0)] }
      expect(await movingProvider([liar, unaware]).request(question)).toBe(null)
    }
  })

  test('what a node only prints is not taken over', async () => {
    const forged = { from: OTHER, transactionHash: topic(6), hash: topic(6), gasUsed: '0x1' }
    const lie = {
      ...methods,
      ...receiptsOf((all) => all.map((each) => ({ ...each, ...forged, contractAddress: OTHER }))),
      ...blockOf((all) => all.map((each) => ({ ...each, ...forged, blockNumber: '0x7' }))),
    }
    for (const [method, params] of [receipt, logs, block, hashes]) {
      for (const options of [{}, { recoverAddress }]) {
        const right = await ask(method, [...params], [methods], options)
        expect(await ask(method, [...params], [lie], options)).toEqual(right)
      }
    }
  })

  test('a recovery that fails leaves the sender out', async () => {
    const failing = {
      recoverAddress: () => {
        throw new Error('no point')
      },
    }
    const found = await ask('eth_getTransactionByHash', [hashOf(0)], [methods], failing)
    expect(found).not.toHaveProperty('from')
  })
})
