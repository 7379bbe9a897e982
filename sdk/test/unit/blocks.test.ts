/** Transactions, receipts, withdrawals and logs of blocks, from honest and lying nodes. */

import { describe, expect, test } from 'vitest'
import type { Hex } from '../../src/encoding/hex.js'
import {
  body,
  getLogs,
  getReceipt,
  getReceipts,
  getTransaction,
  getTransactions,
  getWithdrawals,
} from '../../src/entry/blocks.js'
import { type Evidence, fetchProof, verifyProofFile } from '../../src/entry/node.js'
import { bodyChain, type Item, item, OTHER, TOKEN, TRANSFER, topic } from '../support/bodies.js'
import { ASKING, clientOf } from '../support/client.js'
import type { Methods } from '../support/rpc.js'

const log = (address: `0x${string}`, ...topics: `0x${string}`[]) => ({
  address,
  topics,
  data: '0xbeef' as const,
})

/**
 * Five types in block 1, nothing in block 2, more than 128 transactions in block 3, a log of
 * another contract in block 4.
 */
const many = Array.from({ length: 131 }, (_, i) =>
  item(i % 5, BigInt(i), BigInt(i + 1) * 21_000n, []),
)
const bodies: readonly (readonly Item[])[] = [
  [],
  [
    item(0, 0n, 21_000n, [log(TOKEN, TRANSFER, topic(1), topic(2))]),
    item(1, 1n, 50_000n, [log(TOKEN, TRANSFER, topic(2), topic(1)), log(OTHER, topic(9))]),
    item(2, 2n, 71_000n, []),
    item(3, 3n, 92_000n, [log(OTHER)]),
    item(4, 4n, 113_000n, [log(TOKEN, TRANSFER, topic(1), topic(3))]),
    item(2, 5n, 134_000n, [], null),
  ],
  [],
  many,
  [item(2, 9n, 21_000n, [log(OTHER, TRANSFER, topic(1), topic(2))])],
]
const { chain, methods } = bodyChain(bodies)
const first = bodies[1] ?? []

const ask = (overrides: Methods = {}) =>
  clientOf(chain, [{ ...methods, ...overrides }], ASKING).client

/** The status, or the code of the error. */
function ending(result: { readonly status: string }): string {
  return 'error' in result ? (result.error as { code: string }).code : result.status
}

describe('what a block holds', () => {
  test('transactions of every type, each field as it was signed', async () => {
    const result = await getTransactions(ask(), { at: 1 })
    if (result.status !== 'present') throw result
    const { count, transactions } = result.value
    expect(count).toBe(6)
    expect(transactions.map(({ type }) => type)).toEqual([0, 1, 2, 3, 4, 2])
    for (const [i, found] of transactions.entries()) {
      expect(found.hash).toBe(first[i]?.transaction['hash'])
      expect(found).toMatchObject({ transactionIndex: i, nonce: BigInt(i), gas: 21_000n })
      expect(found).toMatchObject({ input: '0x0102', value: BigInt(i) * 1000n, r: 5n, s: 6n })
      expect(found.to).toBe(i === 5 ? null : TOKEN)
    }
    expect(transactions[0]).toMatchObject({ gasPrice: 30n, v: 2709n })
    expect(transactions[1]?.accessList).toEqual([{ address: TOKEN, storageKeys: [topic(1)] }])
    expect(transactions[3]).toMatchObject({ maxFeePerBlobGas: 9n, blobVersionedHashes: [topic(3)] })
    expect(transactions[4]?.authorizationList).toEqual([
      { chainId: 0n, address: OTHER, nonce: 7n, yParity: 1n, r: 8n, s: 9n },
    ])
    expect(result.trust).toMatchObject({ system: 'body', proved: ['header', 'transactions'] })
  })

  test('some of many, and that there is none beyond', async () => {
    const result = await getTransactions(ask(), { at: 3, indices: [0, 127, 128, 130, 131] })
    if (result.status !== 'present') throw result
    expect(result.value.count).toBe(131)
    expect(result.value.transactions.map(({ transactionIndex }) => transactionIndex)).toEqual([
      0, 127, 128, 130,
    ])
  })

  test('receipts, with what follows from their transactions and places', async () => {
    const result = await getReceipts(ask(), { at: 1 })
    if (result.status !== 'present') throw result
    const { receipts } = result.value
    expect(receipts.map(({ gasUsed }) => gasUsed)).toEqual([
      21_000n,
      29_000n,
      21_000n,
      21_000n,
      21_000n,
      21_000n,
    ])
    expect(receipts.map(({ effectiveGasPrice }) => effectiveGasPrice)).toEqual([
      30n,
      30n,
      9n,
      9n,
      9n,
      9n,
    ])
    expect(receipts.flatMap(({ logs }) => logs.map(({ logIndex }) => logIndex))).toEqual([
      0, 1, 2, 3, 4,
    ])
    expect(receipts.map(({ transactionHash }) => transactionHash)).toEqual(
      first.map(({ transaction }) => transaction['hash']),
    )
    expect(receipts[3]?.blobGasUsed).toBe(131_072n)
    expect(receipts.every(({ succeeded }) => succeeded)).toBe(true)
  })

  test('withdrawals', async () => {
    const result = await getWithdrawals(ask(), { at: 2 })
    expect(result).toMatchObject({
      status: 'present',
      value: {
        withdrawals: [{ index: 2n, validatorIndex: 99n, address: OTHER, amount: 1_000_000n }],
      },
    })
  })

  test('a proof file of receipts holds offline, and not with one byte changed', async () => {
    const file = await fetchProof(ask(), { system: body, list: 'receipts', at: 1 })
    const anchor = { block: chain.head.hash }
    const options = { anchor, chain: chain.chain, systems: [body] as const }
    const read = await verifyProofFile(file, options)
    expect(read).toMatchObject({ status: 'proven', system: 'body', value: { count: 6 } })
    const at = file.proof.length - 6
    const digit = file.proof[at] === '0' ? '1' : '0'
    const proof = `${file.proof.slice(0, at)}${digit}${file.proof.slice(at + 1)}`
    expect(ending(await verifyProofFile({ ...file, proof }, options))).toBe('verify.root')
  })
})

describe('files', () => {
  const options = {
    anchor: { block: chain.head.hash },
    chain: chain.chain,
    systems: [body] as const,
  }
  const filter = { address: TOKEN, topics: [TRANSFER] }
  type Question = Parameters<typeof fetchProof<typeof body>>[1]
  /** Flips the lowest bit of the byte that many from the end. */
  const flipped = (hex: Hex, back: number): Hex => {
    const at = hex.length - 2 * back
    const byte = Number.parseInt(hex.slice(at, at + 2), 16) ^ 1
    return `${hex.slice(0, at)}${byte.toString(16).padStart(2, '0')}${hex.slice(at + 2)}` as Hex
  }

  test.each<[string, Omit<Question, 'system'>, object]>([
    ['transactions', { list: 'transactions', at: 1 } as Question, { count: 6 }],
    ['receipts', { list: 'receipts', at: 1 } as Question, { count: 6 }],
    ['withdrawals', { list: 'withdrawals', at: 1 } as Question, { withdrawals: [{ index: 1n }] }],
    ['logs', { list: 'logs', at: 1, ...filter } as Question, { logs: [{}, {}, {}] }],
    [
      'logs with hashes',
      { list: 'logs', at: 1, hashes: true, topics: [topic(9)] } as Question,
      { logs: [{ transactionHash: first[1]?.transaction['hash'] }] },
    ],
    ['no logs', { list: 'bloom', at: 2, ...filter } as Question, { bloom: false }],
  ])('%s hold offline; one byte changed in any part is refused', async (name, question, value) => {
    const file = await fetchProof(ask(), { system: body, ...question } as Question)
    const read = JSON.parse(JSON.stringify(file)) as typeof file
    const result = await verifyProofFile(read, options)
    expect(result).toMatchObject({ status: 'proven', system: 'body', value })
    if (!('header' in read.source)) throw new Error('it starts from headers')
    const { header } = read.source
    const rlps = header.rlps.map((rlp, i, { length }) => (i < length - 1 ? rlp : flipped(rlp, 40)))
    const headers = { ...read, source: { header: { ...header, rlps } } }
    expect(ending(await verifyProofFile(headers, options))).toBe('verify.header')
    if (name === 'no logs') {
      // Its proof is empty: the header says all.
      expect(ending(await verifyProofFile({ ...read, proof: '0xc1' }, options))).toMatch(/^decode/)
      return
    }
    for (const back of [1, 2, 20, 30]) {
      const proof = flipped(read.proof, back)
      const code = ending(await verifyProofFile({ ...read, proof }, options))
      expect(code).toMatch(/^(verify|decode)\./)
    }
  })

  test('a transaction and its receipt, by hash: two files of the block and index', async () => {
    const { hash } = chain.at(3)
    const wanted = many[130]?.transaction['hash'] as string
    const place = { blockHash: hash, blockNumber: '0x3', transactionIndex: '0x82' }
    const client = ask({ eth_getTransactionByHash: () => place })
    const found = await getTransaction(client, { hash: wanted })
    if (found.status !== 'present') throw found
    const { blockHash, blockNumber, transactionIndex } = found.value
    const at = { number: blockNumber, hash: blockHash }
    for (const [list, named] of [
      ['transactions', 'hash'],
      ['receipts', 'transactionHash'],
    ] as const) {
      const indices = [transactionIndex]
      const file = await fetchProof(client, { system: body, list, indices, at })
      const result = await verifyProofFile(JSON.parse(JSON.stringify(file)), options)
      expect(result).toMatchObject({
        status: 'proven',
        value: { count: 131, [list]: [{ [named]: wanted, transactionIndex: 130 }] },
        trust: { block: { hash } },
      })
    }
  })
})

describe('a transaction by its hash', () => {
  const { hash: blockHash } = chain.at(3)
  const wanted = many[130]?.transaction['hash'] as string
  const place = (overrides: object = {}) => ({
    blockHash,
    blockNumber: '0x3',
    transactionIndex: '0x82',
    ...overrides,
  })
  const placing = (answer: unknown): Methods => ({
    ...methods,
    eth_getTransactionByHash: () => answer,
  })
  const honest = placing(place())

  test('present: with its block and its index', async () => {
    const { client } = clientOf(chain, [honest], ASKING)
    const mined = { transactionIndex: 130, blockNumber: 3n, blockHash }
    expect(await getTransaction(client, { hash: wanted })).toMatchObject({
      status: 'present',
      value: { hash: wanted, type: 0, nonce: 130n, ...mined },
      trust: { block: { number: 3n, hash: blockHash }, proved: ['header', 'transactions'] },
    })
    expect(await getReceipt(client, { hash: wanted })).toMatchObject({
      status: 'present',
      value: { transactionHash: wanted, gasUsed: 21_000n, ...mined },
      trust: { proved: ['header', 'receipts'] },
    })
  })

  test.each<[string, unknown, string]>([
    ['another index', place({ transactionIndex: '0x81' }), 'verify.claim'],
    ['an index beyond the block', place({ transactionIndex: '0x83' }), 'verify.claim'],
    ['another block', place({ blockHash: chain.at(1).hash, blockNumber: '0x1' }), 'verify.claim'],
    ['a block of its own', place({ blockHash: topic(7) }), 'block'],
    ['a block to come', place({ blockHash: topic(7), blockNumber: '0x9' }), 'block'],
    [
      'an index beyond all numbers',
      place({ transactionIndex: `0x${'f'.repeat(64)}` }),
      'decode.response',
    ],
    [
      'a number beyond all blocks',
      place({ blockNumber: `0x${'f'.repeat(64)}` }),
      'decode.response',
    ],
    ['an index that is a list', place({ transactionIndex: [] }), 'decode.response'],
    ['no hash', place({ blockHash: 7 }), 'decode.response'],
    ['a pool', place({ blockHash: null, blockNumber: null, transactionIndex: null }), 'block'],
    ['nothing', null, 'block'],
    ['a text', 'no', 'decode.response'],
  ])('a node that names %s: refused, and the next one is asked', async (_, answer, code) => {
    const alone = await getTransaction(clientOf(chain, [placing(answer)], ASKING).client, {
      hash: wanted,
    })
    expect(ending(alone)).toBe(code)
    for (const action of [getTransaction, getReceipt]) {
      const { client } = clientOf(chain, [placing(answer), honest], ASKING)
      expect(await action(client, { hash: wanted })).toMatchObject({
        status: 'present',
        value: { transactionIndex: 130, blockNumber: 3n },
        trust: { servedBy: 'http://n2' },
      })
    }
  })

  test('error: a wrong argument', async () => {
    const { client } = clientOf(chain, [honest], ASKING)
    await expect(getTransaction(client, { hash: '0x12' })).rejects.toMatchObject({
      code: 'input.option',
      argument: 'hash',
    })
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(getReceipt(client, { hash: wanted, signal })).rejects.toThrow('enough')
  })
})

/** All blocks. */
const range = { fromBlock: 0, toBlock: 4 }

describe('logs of a range', () => {
  test('all of them, and receipts only of blocks that may have one', async () => {
    const { client, calls } = clientOf(chain, [methods], ASKING)
    const told: number[] = []
    const result = await getLogs(client, {
      ...range,
      address: TOKEN,
      topics: [TRANSFER, topic(1)],
      onProgress: ({ left }) => {
        told.push(left)
        throw new Error('of the listener')
      },
    })
    if (result.status !== 'present') throw result
    const { logs, complete } = result.value
    expect(complete).toBe(true)
    expect(logs.map(({ blockNumber, logIndex }) => [blockNumber, logIndex])).toEqual([
      [1n, 0],
      [1n, 4],
    ])
    expect(logs[1]?.transactionHash).toBe(first[4]?.transaction['hash'])
    expect(told).toEqual([4, 3, 2, 1, 0])
    expect(calls.filter((method) => method === 'eth_getBlockReceipts')).toHaveLength(1)
  })

  test.each([
    [{}, 6],
    [{ topics: [null] }, 5],
    [{ topics: [null, [topic(1), topic(2)]] }, 4],
    [{ address: [TOKEN, OTHER], topics: [TRANSFER, null, topic(2)] }, 2],
    [{ topics: [topic(7)] }, 0],
  ])('%j finds %i', async (filter, count) => {
    const result = await getLogs(ask(), { ...range, ...filter, hashes: false })
    if (result.status !== 'present') throw result
    expect(result.value.logs).toHaveLength(count)
    expect(result.value.logs.every(({ transactionHash }) => transactionHash === undefined)).toBe(
      true,
    )
  })

  test.each([
    [{ fromBlock: 3, toBlock: 2 }, 'input.block'],
    [{ fromBlock: 0, toBlock: 10_000 }, 'input.block'],
    [{ ...range, topics: ['0x12'] }, 'input.option'],
    [{ ...range, topics: [[], [], [], [], []] }, 'input.option'],
    [{ ...range, address: '0x12' }, 'input.address'],
    [{ ...range, onProgress: 1 }, 'input.option'],
  ])('%j is refused', async (parameters, code) => {
    await expect(getLogs(ask(), parameters as never)).rejects.toMatchObject({ code })
  })
})

describe('lies', () => {
  type Json = Record<string, unknown>
  const receiptsOf = (change: (all: Json[]) => unknown): Methods => ({
    eth_getBlockReceipts: () => change(first.map(({ receipt }) => ({ ...receipt }))),
  })
  const blockOf = (change: (all: Json[]) => unknown): Methods => ({
    eth_getBlockByHash: (id: string) => ({
      ...(methods['eth_getBlockByHash'] as (...args: unknown[]) => object)(id, true),
      transactions: change(first.map(({ transaction }) => ({ ...transaction }))),
    }),
  })
  const changed = (all: Json[], at: number, change: Json): Json[] =>
    all.map((each, i) => (i === at ? { ...each, ...change } : each))

  test.each<[string, Methods, string]>([
    ['a receipt left out', receiptsOf((all) => all.slice(1)), 'verify.root'],
    ['two exchanged', receiptsOf(([a, b, ...rest]) => [b, a, ...rest]), 'verify.root'],
    ['none', receiptsOf(() => []), 'verify.root'],
    [
      'a failed one as succeeded',
      receiptsOf((all) => changed(all, 1, { status: '0x0' })),
      'verify.root',
    ],
    ['a log left out', receiptsOf((all) => changed(all, 0, { logs: [] })), 'verify.root'],
    [
      'another amount',
      receiptsOf((all) =>
        changed(all, 0, {
          logs: [{ ...log(TOKEN, TRANSFER, topic(1), topic(2)), data: '0xbeee' }],
        }),
      ),
      'verify.root',
    ],
    ['another type', receiptsOf((all) => changed(all, 2, { type: '0x1' })), 'verify.root'],
    [
      'a type of a later fork',
      receiptsOf((all) => changed(all, 2, { type: '0x7' })),
      'verify.root',
    ],
    ['no list', receiptsOf(() => ({})), 'decode.response'],
    ['no object', receiptsOf(() => [null]), 'decode.response'],
    ['junk', receiptsOf((all) => changed(all, 0, { logsBloom: '0x00' })), 'decode.shape'],
    ['no block', receiptsOf(() => null), 'block'],
    ['a transaction less', blockOf((all) => all.slice(0, -1)), 'verify.root'],
    ['another receiver', blockOf((all) => changed(all, 0, { to: OTHER })), 'verify.root'],
    [
      'hashes in place of transactions',
      blockOf((all) => all.map(({ hash }) => hash)),
      'decode.response',
    ],
    ['another value', blockOf((all) => changed(all, 2, { value: '0xffff' })), 'verify.root'],
    [
      'an envelope of a later fork',
      blockOf((all) => changed(all, 2, { type: '0x9' })),
      'verify.root',
    ],
  ])('%s', async (_, lie, code) => {
    const liar = { ...methods, ...lie }
    expect(ending(await getReceipts(ask(lie), { at: 1 }))).toBe(code)
    const beside = clientOf(chain, [liar, methods], ASKING).client
    expect(ending(await getReceipts(beside, { at: 1 }))).toBe('present')
    // No field that a node only prints is taken over.
    const logs = await getLogs(ask(lie), { fromBlock: 1, toBlock: 1 })
    if (code !== 'present') expect(ending(logs)).toBe(code)
  })

  test('what a node only prints is not proven, and not taken over', async () => {
    const lie = receiptsOf((all) =>
      all.map((each) => ({ ...each, from: OTHER, transactionHash: topic(6), gasUsed: '0x1' })),
    )
    const honest = await getReceipts(ask(), { at: 1 })
    const lied = await getReceipts(ask(lie), { at: 1 })
    if (honest.status !== 'present' || lied.status !== 'present') throw lied
    expect(lied.value).toEqual(honest.value)
  })

  test('unavailable: a type of a later fork under the true root, and nobody is blamed', async () => {
    const later = bodyChain([[], [item(2, 0n, 21_000n, []), item(7, 1n, 42_000n, [])]])
    const blamed: unknown[] = []
    const options = { ...ASKING, onBadProof: () => void blamed.push(1) }
    const { client } = clientOf(later.chain, [later.methods], options)
    expect(ending(await getTransactions(client, { at: 1 }))).toBe('unsupported')
    expect(ending(await getLogs(client, { fromBlock: 0, toBlock: 1 }))).toBe('unsupported')
    expect(blamed).toEqual([])
  })

  test.each<[string, string, Hex | undefined]>([
    ['left out', 'block', undefined],
    ['replaced by the one below it', 'verify.header', '0x1'],
    ['replaced by the one above it', 'verify.header', '0x3'],
  ])('logs: one header of the range %s', async (_, code, other) => {
    const hidden = chain.at(2).hash
    const numbered = methods['eth_getBlockByNumber'] as (...args: unknown[]) => unknown
    const liar = (method: string) => {
      const find = methods[method] as (...args: unknown[]) => unknown
      return (id: string, whole: boolean) => {
        if (id !== '0x2' && id !== hidden) return find(id, whole)
        return other === undefined ? null : numbered(other, whole)
      }
    }
    const lies = ['eth_getBlockByNumber', 'eth_getBlockByHash'].map(
      (method) => [method, liar(method)] as const,
    )
    const lying: Methods = { ...methods, ...Object.fromEntries(lies) }
    expect(ending(await getLogs(ask(lying), range))).toBe(code)
    const beside = clientOf(chain, [lying, methods], ASKING).client
    expect(ending(await getLogs(beside, range))).toBe('present')
  })

  test('withdrawals that are left out', async () => {
    const lie: Methods = {
      eth_getBlockByHash: (id: string) => {
        const find = methods['eth_getBlockByHash'] as (...args: unknown[]) => object
        return { ...find(id, false), withdrawals: undefined }
      },
    }
    expect(ending(await getWithdrawals(ask(lie), { at: 2 }))).toBe('verify.root')
  })

  test('evidence of a false receipt convicts the node offline', async () => {
    const found: (Evidence | undefined)[] = []
    const lie = receiptsOf((all) => all.slice(1))
    const { client } = clientOf(chain, [{ ...methods, ...lie }], {
      ...ASKING,
      onBadProof: ({ evidence }) => void found.push(evidence),
    })
    await getReceipts(client, { at: 1 })
    expect(found).toHaveLength(1)
    const options = {
      anchor: { block: chain.head.hash },
      chain: chain.chain,
      systems: [body] as const,
    }
    const file = JSON.parse(JSON.stringify(found[0])) as unknown
    expect(ending(await verifyProofFile(file, options))).toBe('verify.root')
  })
})
