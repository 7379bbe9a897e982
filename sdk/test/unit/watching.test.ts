/** Blocks, logs and receipts that come while somebody watches, and transactions that are sent. */

import { describe, expect, test, vi } from 'vitest'
import { parseHash } from '../../src/encoding/input.js'
import {
  getFees,
  getReceipt,
  sendRawTransaction,
  waitForTransaction,
  watchBlocks,
  watchLogs,
} from '../../src/entry/blocks.js'
import { createProvider } from '../../src/entry/eip1193.js'
import type { Client } from '../../src/entry/node.js'
import type { Light } from '../../src/light/light.js'
import { bodyChain, item, OTHER, TOKEN, TRANSFER, topic } from '../support/bodies.js'
import { ASKING, clientOf } from '../support/client.js'
import { type Methods, ScriptedError } from '../support/rpc.js'

// The tests say what is signed: committees are tested elsewhere.
vi.mock('../../src/light/prepare.js', () => ({
  prepare: async () => undefined,
  syncLines: async () => undefined,
}))

const log = (address: `0x${string}`, ...topics: `0x${string}`[]) => ({
  address,
  topics,
  data: '0xbeef' as const,
})
const sent = item(2, 7n, 21_000n, [log(TOKEN, TRANSFER, topic(1))])
const sentHash = sent.transaction['hash'] as string
const late = [item(1, 8n, 21_000n, [log(TOKEN, TRANSFER, topic(2))])]
const bodies = [[], [item(0, 0n, 21_000n, [])], [sent], late]
const { chain, methods: lists } = bodyChain(bodies)
/** The same up to block 1; then other blocks. */
const fork = bodyChain([[], bodies[1] ?? [], [item(2, 9n, 21_000n, [log(OTHER)])], [sent], []])

const place = (of: typeof chain, number: number) => ({
  blockHash: of.at(number).hash,
  blockNumber: `0x${number}`,
  transactionIndex: '0x0',
})
const methods: Methods = {
  ...lists,
  eth_getTransactionByHash: (hash: string) => (hash === sentHash ? place(chain, 2) : null),
}
/** A node that has both forks' blocks by their hashes. */
const either = (number: 'eth_getBlockByHash' | 'eth_getBlockReceipts') => {
  const [one, two] = [methods[number], fork.methods[number]] as unknown as ((
    ...args: unknown[]
  ) => unknown)[]
  return (...args: unknown[]) => one?.(...args) ?? two?.(...args)
}
const both: Methods = {
  ...methods,
  eth_getBlockByHash: either('eth_getBlockByHash'),
  eth_getBlockReceipts: either('eth_getBlockReceipts'),
}

/**
 * A client with a checkpoint, as far as the actions look at it; `sign` makes a block the newest
 * signed one.
 */
function following(nodes: readonly Methods[]) {
  const { client: pinned, calls } = clientOf(chain, nodes, ASKING)
  const light = { state: undefined, checkpointTime: undefined, tried: [] } as unknown as Light
  const lines: Client['lines'] = []
  const hash = parseHash(chain.head.hash, 'hash', 'input.block')
  const client: Client = { ...pinned, lines, light, anchor: { kind: 'checkpoint', hash } }
  const sign = (block: { readonly hash: string }): void => {
    const of = parseHash(block.hash, 'hash', 'input.block')
    lines.splice(0, lines.length, { hash: of, finality: 'head', headers: [] })
  }
  return { client, calls, sign }
}

const FAST = { pollMs: 10 }

describe('watching', () => {
  test('blocks: each once, in order, and those of a fork taken back', async () => {
    const { client, sign } = following([both])
    const stop = new AbortController()
    sign(chain.at(0))
    const news = watchBlocks(client, { ...FAST, signal: stop.signal })
    const heard: [bigint, boolean, string][] = []
    const first = news.next()
    // The first look, which is where it starts from, asks for block 0.
    await vi.waitFor(() => expect(client.lines[0]?.headers.length).toBe(1), 30_000)
    sign(chain.at(3))
    for (let one = await first; ; one = await news.next()) {
      const { block, removed } = one.value
      heard.push([block.number, removed, block.hash])
      if (heard.length === 3) sign(fork.chain.at(4))
      if (heard.length === 8) break
    }
    expect(heard).toEqual([
      [1n, false, chain.at(1).hash],
      [2n, false, chain.at(2).hash],
      [3n, false, chain.at(3).hash],
      [3n, true, chain.at(3).hash],
      [2n, true, chain.at(2).hash],
      [2n, false, fork.chain.at(2).hash],
      [3n, false, fork.chain.at(3).hash],
      [4n, false, fork.chain.at(4).hash],
    ])
    stop.abort(new Error('enough'))
    await expect(news.next()).rejects.toThrow('enough')
  })

  test('behavior: a head that goes back to a block that was told takes nothing back', async () => {
    const { client, sign } = following([both])
    const stop = new AbortController()
    sign(chain.at(0))
    const news = watchBlocks(client, { ...FAST, signal: stop.signal })
    const heard: [bigint, boolean][] = []
    const first = news.next()
    await vi.waitFor(() => expect(client.lines[0]?.headers.length).toBe(1), 30_000)
    sign(chain.at(2))
    for (let one = await first; ; one = await news.next()) {
      heard.push([one.value.block.number, one.value.removed])
      if (heard.length === 3) break
      if (heard.length < 2) continue
      // As one of two machines at one URL tells it, which is behind; then again as the other does.
      sign(chain.at(1))
      const next = news.next()
      await vi.waitFor(() => expect(client.lines[0]?.headers.length).toBe(1), 30_000)
      sign(chain.at(3))
      const { value } = await next
      heard.push([value.block.number, value.removed])
      break
    }
    expect(heard).toEqual([
      [1n, false],
      [2n, false],
      [3n, false],
    ])
    stop.abort(new Error('enough'))
    await expect(news.next()).rejects.toThrow('enough')
  })

  test('logs: none left out where a node lies for a while, and those of a fork taken back', async () => {
    let lies = true
    const liar: Methods = {
      ...both,
      eth_getBlockReceipts: (id: string) =>
        lies ? [] : (both['eth_getBlockReceipts'] as (id: string) => unknown)(id),
    }
    const { client, sign } = following([liar])
    sign(chain.at(0))
    const errors: string[] = []
    const onError = ({ code }: { code: string }): void => {
      errors.push(code)
      lies = false
    }
    const news = watchLogs(client, { address: TOKEN, ...FAST, onError })
    const first = news.next()
    await vi.waitFor(() => expect(client.lines[0]?.headers.length).toBe(1), 30_000)
    sign(chain.at(3))
    const heard = [(await first).value, (await news.next()).value]
    sign(fork.chain.at(4))
    for (let i = 0; i < 3; i++) heard.push((await news.next()).value)
    expect(errors).toEqual(['verify.root'])
    const told = heard.map(({ blockNumber, removed, topics }) => [blockNumber, removed, topics[1]])
    expect(told).toEqual([
      [2n, false, topic(1)],
      [3n, false, topic(2)],
      [3n, true, topic(2)],
      [2n, true, topic(1)],
      [3n, false, topic(1)],
    ])
  })

  test('error: a pinned block has no news', () => {
    const { client } = clientOf(chain, [methods], ASKING)
    const wrong = expect.objectContaining({ code: 'input.anchor' })
    expect(() => watchBlocks(client)).toThrow(wrong)
    expect(() => watchLogs(client, { address: TOKEN })).toThrow(wrong)
    const options = { pollMs: 'soon' } as never
    expect(() => watchBlocks(following([methods]).client, options)).toThrow('pollMs')
  })
})

describe('filters and subscriptions of a provider', () => {
  test('changes since the last call, and all of a range', async () => {
    const { client, sign } = following([both])
    sign(chain.at(1))
    const provider = createProvider(client)
    const ask = (method: string, ...params: unknown[]) => provider.request({ method, params })
    const filter = { address: TOKEN, fromBlock: '0x0', toBlock: '0x3' }
    const logs = await ask('eth_newFilter', filter)
    const blocks = await ask('eth_newBlockFilter')
    expect(await ask('eth_getFilterChanges', logs)).toEqual([])
    sign(chain.at(3))
    expect(await ask('eth_getFilterChanges', logs)).toMatchObject([
      { blockNumber: '0x2', removed: false, transactionHash: sentHash },
      { blockNumber: '0x3', removed: false },
    ])
    expect(await ask('eth_getFilterChanges', logs)).toEqual([])
    expect(await ask('eth_getFilterChanges', blocks)).toEqual([chain.at(2).hash, chain.at(3).hash])
    expect(await ask('eth_getFilterLogs', logs)).toHaveLength(2)
    sign(fork.chain.at(3))
    expect(await ask('eth_getFilterChanges', logs)).toMatchObject([
      { blockNumber: '0x3', removed: true },
      { blockNumber: '0x2', removed: true },
      { blockNumber: '0x3', removed: false, blockHash: fork.chain.at(3).hash },
    ])
    expect(await ask('eth_uninstallFilter', logs)).toBe(true)
    expect(await ask('eth_uninstallFilter', logs)).toBe(false)
    provider.close()
  })

  test('eth_subscribe logs', async () => {
    const { client, sign } = following([both])
    sign(chain.at(1))
    const provider = createProvider(client, { pollMs: 100 })
    const heard: unknown[] = []
    provider.on('message', ({ data }) => heard.push(data))
    const params = ['logs', { topics: [TRANSFER] }]
    const id = await provider.request({ method: 'eth_subscribe', params })
    await vi.waitFor(() => expect(client.lines[0]?.headers.length).toBe(1), 30_000)
    sign(chain.at(2))
    const result = { transactionHash: sentHash, removed: false, logIndex: '0x0' }
    await vi.waitFor(() => expect(heard).toMatchObject([{ subscription: id, result }]), 30_000)
    expect(await provider.request({ method: 'eth_unsubscribe', params: [id] })).toBe(true)
    provider.close()
  })
})

describe('a transaction in a block that was signed and is in a fork by now', () => {
  const forked = () => {
    const { client, sign } = following([both])
    sign(chain.at(3))
    // What was signed before is remembered beside what is signed now.
    return {
      client,
      sign: (of: typeof chain, number: number) => {
        const old = [...client.lines]
        sign(of.at(number))
        client.lines.push(...old)
      },
    }
  }

  test('the provider does not show it', async () => {
    const { client, sign } = forked()
    const provider = createProvider(client)
    const ask = (method: string) => provider.request({ method, params: [sentHash] })
    expect(await ask('eth_getTransactionReceipt')).toMatchObject({ blockNumber: '0x2' })
    sign(fork.chain, 4)
    expect(await ask('eth_getTransactionReceipt')).toBe(null)
    expect(await ask('eth_getTransactionByHash')).toBe(null)
  })

  test('waiting goes on', async () => {
    const { client, sign } = forked()
    // Its header is known from before.
    expect(await getReceipt(client, { hash: sentHash })).toMatchObject({ status: 'present' })
    sign(fork.chain, 4)
    let looks = 0
    const stop = new AbortController()
    const { nodes } = client
    const [node] = nodes
    if (node === undefined) throw new Error('no node')
    const counting = {
      ...node,
      call: (...args: Parameters<typeof node.call>) => {
        if (args[0].method === 'eth_getTransactionByHash' && ++looks === 3) {
          stop.abort(new Error('enough'))
        }
        return node.call(...args)
      },
    }
    const options = { hash: sentHash, confirmations: 2, ...FAST, signal: stop.signal }
    const waiting = waitForTransaction({ ...client, nodes: [counting] }, options)
    await expect(waiting).rejects.toThrow('enough')
  })
})

describe('waiting for a transaction', () => {
  test('until it is proven, deep enough, and in the chain', async () => {
    let answers: readonly unknown[] = [null, place(chain, 2)]
    const node: Methods = {
      ...both,
      eth_getTransactionByHash: () => {
        const [answer = place(chain, 2)] = answers
        answers = answers.slice(1)
        return answer
      },
    }
    const { client, sign } = following([node])
    sign(chain.at(2))
    const errors: string[] = []
    const waiting = waitForTransaction(client, {
      hash: sentHash,
      confirmations: 2,
      ...FAST,
      onError: ({ code }) => errors.push(code),
    })
    await vi.waitFor(() => expect(answers).toEqual([]), 30_000)
    sign(chain.at(3))
    expect(await waiting).toMatchObject({
      status: 'present',
      value: { transactionHash: sentHash, blockNumber: 2n, confirmations: 2 },
    })
    expect(errors).toEqual(['block'])
  })

  test('a receipt of another transaction is not it, and an honest node beside makes up for it', async () => {
    const liar = { ...methods, eth_getTransactionByHash: () => place(chain, 3) }
    const stop = new AbortController()
    const onError = vi.fn(() => stop.abort(new Error('enough')))
    const options = { hash: sentHash, ...FAST, onError, signal: stop.signal }
    const alone = following([liar])
    alone.sign(chain.at(3))
    await expect(waitForTransaction(alone.client, options)).rejects.toThrow('enough')
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ code: 'verify.claim' }))
    const beside = following([liar, methods])
    beside.sign(chain.at(3))
    const found = await waitForTransaction(beside.client, { hash: sentHash, ...FAST })
    expect(found).toMatchObject({ value: { blockNumber: 2n, confirmations: 2 } })
  })
})

describe('sending', () => {
  const raw = `0x${Buffer.from(sent.envelope).toString('hex')}`
  const taking: Methods = { ...methods, eth_sendRawTransaction: () => sentHash }
  const saying = (code: number, message: string): Methods => ({
    ...methods,
    eth_sendRawTransaction: () => {
      throw new ScriptedError(code, message)
    },
  })

  test('to every node, once; the hash is computed here', async () => {
    const nodes = [
      taking,
      saying(-32000, 'already known'),
      saying(-32000, 'nonce too low'),
      { ...methods, eth_sendRawTransaction: () => topic(6) },
      { ...taking, eth_chainId: () => '0x1' },
    ]
    const { client, calls } = clientOf(chain, nodes, { ...ASKING, retries: 3 })
    const report = await sendRawTransaction(client, { raw })
    expect(report).toMatchObject({
      hash: sentHash,
      isTaken: true,
      nodes: [
        { node: 'http://n1', status: 'taken' },
        { node: 'http://n2', status: 'taken' },
        { node: 'http://n3', status: 'refused', error: { code: 'rpc.server' } },
        { node: 'http://n4', status: 'unknown', error: { code: 'verify.claim' } },
        { node: 'http://n5', status: 'refused', error: { code: 'chain' } },
      ],
    })
    expect(calls.filter((method) => method === 'eth_sendRawTransaction')).toHaveLength(4)
  })

  test('to those that are named; nobody takes it', async () => {
    const { client, calls } = clientOf(chain, [taking, saying(-32000, 'underpriced')], ASKING)
    const report = await sendRawTransaction(client, { raw, nodes: ['http://n2'] })
    expect(report).toMatchObject({ isTaken: false, nodes: [{ status: 'refused' }] })
    expect(calls.filter((method) => method === 'eth_sendRawTransaction')).toHaveLength(1)
  })

  test.each([
    [{ raw: 'no' }, 'raw'],
    [{ raw: '0x' }, 'raw'],
    [{ raw, nodes: [] }, 'nodes'],
    [{ raw, nodes: ['http://elsewhere'] }, 'nodes'],
  ])('error: %j', async (parameters, argument) => {
    const { client, calls } = clientOf(chain, [taking], ASKING)
    const work = sendRawTransaction(client, parameters)
    await expect(work).rejects.toMatchObject({ code: 'input.option', argument })
    expect(calls).toEqual([])
  })
})

describe('fees', () => {
  test('tips of the newest blocks, above the base fee', async () => {
    const { client } = clientOf(chain, [methods], ASKING)
    // Tips of 23 in blocks 1 and 3, of 2 in block 2.
    expect(await getFees(client)).toMatchObject({
      status: 'present',
      value: {
        baseFeePerGas: 7n,
        nextBaseFeePerGas: 7n,
        maxPriorityFeePerGas: 23n,
        transactions: 3,
      },
    })
    const none = await getFees(client, { at: 0, blocks: 1 })
    expect(none).toMatchObject({ value: { transactions: 0, maxPriorityFeePerGas: 1_000_000_000n } })
    await expect(getFees(client, { blocks: 21 })).rejects.toMatchObject({ argument: 'blocks' })
  })
})
