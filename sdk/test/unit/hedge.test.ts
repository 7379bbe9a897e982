/**
 * Nodes that take their time: the next one is asked as well, the first proven answer wins, and all
 * of it can be aborted.
 */

import { describe, expect, test } from 'vitest'
import { type ClientOptions, getBalance, proven } from '../../src/entry/node.js'
import { reportNodes } from '../../src/entry/nodes.js'
import { honest, makeChain, OWNER, proofJson } from '../support/chain.js'
import { ASKING, clientOf } from '../support/client.js'
import { type Methods, scriptedFetch } from '../support/rpc.js'

const devnet = makeChain(12)
const wallet = { address: OWNER }

/**
 * Nodes http://n1, …: each waits its milliseconds before it answers (Infinity: for ever), unless it
 * is aborted.
 */
function nodesOf(
  nodes: readonly (readonly [waitMs: number, Methods])[],
  options: Partial<ClientOptions> = {},
) {
  const entries = nodes.map(([, methods], i) => [`http://n${i + 1}`, methods] as const)
  const { fetch: reply } = scriptedFetch(Object.fromEntries(entries))
  const asked: string[] = []
  const aborted: string[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { origin } = new URL(String(input))
    asked.push(origin)
    const index = entries.findIndex(([name]) => name === origin)
    await new Promise<void>((resolve, reject) => {
      const [waitMs = 0] = nodes[index] ?? []
      if (Number.isFinite(waitMs)) setTimeout(resolve, waitMs)
      init?.signal?.addEventListener('abort', () => {
        aborted.push(origin)
        reject(init.signal?.reason)
      })
    })
    return reply(input, init)
  }
  const urls = entries.map(([name]) => name)
  const { client } = clientOf(devnet, [], { nodes: urls, fetch, hedgeMs: 30, ...options })
  return { client, asked, aborted }
}

const liar = honest(devnet, {
  eth_getProof: (address: string, slots: readonly string[]) => ({
    ...proofJson(devnet.head, address, slots),
    balance: '0xffff',
  }),
})

const SLOW = Number.POSITIVE_INFINITY

describe('hedged requests', () => {
  test('default: a node in time is the only one that is asked', async () => {
    const { client, asked } = nodesOf(
      [
        [0, honest(devnet)],
        [0, honest(devnet)],
      ],
      { hedgeMs: 10_000 },
    )
    proven(await getBalance(client, wallet))
    expect(new Set(asked)).toEqual(new Set(['http://n1']))
  })

  test('behavior: the next node is asked as well, the slow one is dropped, and rests', async () => {
    const { client, aborted } = nodesOf([
      [SLOW, honest(devnet)],
      [0, honest(devnet)],
    ])
    expect(await getBalance(client, wallet)).toMatchObject({
      status: 'present',
      value: devnet.head.balance,
      trust: { servedBy: 'http://n2', tried: [{ node: 'http://n1', code: 'transport.timeout' }] },
    })
    expect(aborted).toContain('http://n1')
    expect(reportNodes(client).map(({ state }) => state)).toEqual(['resting', 'healthy'])
    expect(await getBalance(client, wallet)).toMatchObject({ trust: { tried: [] } })
  })

  test('behavior: the slow one may still come first', async () => {
    const { client } = nodesOf([
      [20, honest(devnet)],
      [SLOW, honest(devnet)],
    ])
    expect(await getBalance(client, wallet)).toMatchObject({
      status: 'present',
      trust: { servedBy: 'http://n1', tried: [] },
    })
  })

  test('behavior: a liar in a hurry wins nothing', async () => {
    const { client } = nodesOf([
      [400, honest(devnet)],
      [0, liar],
    ])
    expect(await getBalance(client, wallet)).toMatchObject({
      status: 'present',
      value: devnet.head.balance,
      trust: { servedBy: 'http://n1', tried: [{ node: 'http://n2', code: 'verify.claim' }] },
    })
  })

  test('behavior: where all are asked and none proves it, every failure is told', async () => {
    const { client } = nodesOf(
      [
        [SLOW, honest(devnet)],
        [400, liar],
        [0, {}],
      ],
      { timeoutMs: 1500 },
    )
    const result = await getBalance(client, wallet)
    expect(result).toMatchObject({ status: 'invalid', error: { node: 'http://n2' } })
    const codes = reportNodes(client).map(({ lastCode }) => lastCode)
    expect(codes).toEqual(['transport.timeout', 'verify.claim', 'rpc.method'])
  })

  test('behavior: never, if the caller says so', async () => {
    const options = { hedgeMs: Number.POSITIVE_INFINITY, timeoutMs: 10_000 }
    const { client, asked } = nodesOf(
      [
        [60, honest(devnet)],
        [0, honest(devnet)],
      ],
      options,
    )
    proven(await getBalance(client, wallet))
    expect(asked).not.toContain('http://n2')
  })

  test('error: an abort ends all of them', async () => {
    const { client, aborted } = nodesOf([
      [SLOW, honest(devnet)],
      [SLOW, honest(devnet)],
    ])
    const abort = new AbortController()
    setTimeout(() => abort.abort(new Error('left')), 500)
    const promise = getBalance(client, { ...wallet, signal: abort.signal })
    await expect(promise).rejects.toThrow('left')
    expect(new Set(aborted)).toEqual(new Set(['http://n1', 'http://n2']))
    expect(reportNodes(client).map(({ failed }) => failed)).toEqual([0, 0])
  })

  test.each<[string, object]>([
    ['hedgeMs', { hedgeMs: -1 }],
    ['hedgeMs', { hedgeMs: '30' }],
    ['batchSize', { batchSize: 0 }],
  ])('error: a wrong %s', (argument, options) => {
    const make = (): unknown => clientOf(devnet, [liar], options)
    expect(make).toThrow(expect.objectContaining({ code: 'input.option', argument }))
  })
})

describe('questions that are asked at once', () => {
  test('behavior: travel in one request, and the same one once', async () => {
    const { client, calls, exchanges } = clientOf(devnet, [honest(devnet)], ASKING)
    proven(await getBalance(client, wallet))
    const before = [calls.length, exchanges.length] as const
    const others = Array.from({ length: 20 }, (_, i) => `0x${String(i).padStart(40, '0')}`)
    const questions = [...others, OWNER, OWNER].map((address) => getBalance(client, { address }))
    for (const result of await Promise.all(questions)) {
      // The test's tries are single leaves, so any other account is proven absent.
      expect(['present', 'absent']).toContain(result.status)
    }
    expect(exchanges.slice(before[1])).toEqual([21])
    expect(calls.length - before[0]).toBe(21)
  })

  test('behavior: a report names who served the headers and who the proof', async () => {
    const { client } = clientOf(devnet, [honest(devnet), liar])
    expect(await getBalance(client, { ...wallet, at: 5 })).toMatchObject({
      trust: { servedBy: 'http://n1', headersFrom: ['http://n1'] },
    })
  })
})
