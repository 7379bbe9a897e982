/**
 * Only liars are blamed: what gateways and reorganizations do to honest nodes is no bad proof, and
 * passes.
 */

import { afterEach, describe, expect, test, vi } from 'vitest'
import { getBalance, getCode, proven } from '../../src/entry/node.js'
import { reinstateNode, reportNodes } from '../../src/entry/nodes.js'
import { honest, makeChain, OWNER, proofJson } from '../support/chain.js'
import { ASKING, clientOf } from '../support/client.js'
import { type Methods, ScriptedError, scriptedFetch } from '../support/rpc.js'

const ethereum = makeChain(12, 'ethereum')
const devnet = makeChain(4)
/** The same heights, other states. */
const fork = makeChain(12, 'ethereum', (n) => n + 100n)
const wallet = { address: OWNER }
type Client = ReturnType<typeof clientOf>['client']
const states = (client: Client): string[] => reportNodes(client).map(({ state }) => state)
const hashOf = (id: unknown): unknown => (id as { blockHash?: string }).blockHash

afterEach(() => {
  vi.useRealTimers()
})

describe('eth_chainId', () => {
  test('behavior: a number is one', async () => {
    for (const [chain, id] of [
      [ethereum, { eth_chainId: () => 1337 }],
      [devnet, {}],
    ] as const) {
      const { client } = clientOf(chain, [honest(chain, id)])
      expect(proven(await getBalance(client, wallet))).toBe(chain.head.balance)
      expect(states(client)).toEqual(['healthy'])
    }
  })

  test.each([1338, 1.5, 2 ** 60, 'one', '1337', '', null, [], { id: 1 }, true])(
    'unavailable: %j is another chain, and no bad proof',
    async (id) => {
      const { client } = clientOf(ethereum, [honest(ethereum, { eth_chainId: () => id })])
      const error = { code: 'chain' }
      expect(await getBalance(client, wallet)).toMatchObject({ status: 'unavailable', error })
      expect(reportNodes(client)[0]).toMatchObject({ state: 'resting', badProof: undefined })
    },
  )
})

describe('a provider that ignores the block hash (EIP-1898)', () => {
  test('unavailable: during a reorganization it has another block, and does not lie', async () => {
    const away = honest(ethereum, {
      eth_getBlockByNumber: (number: string) => fork.at(Number(number)).json,
      eth_getProof: (address: string, slots: readonly string[]) =>
        proofJson(fork.head, address, slots),
    })
    const { client, calls } = clientOf(ethereum, [away])
    const error = { code: 'block', message: expect.stringContaining('has another block 11') }
    expect(await getBalance(client, wallet)).toMatchObject({ status: 'unavailable', error })
    expect(states(client)).toEqual(['healthy'])
    expect(calls.filter((method) => method === 'eth_getProof')).toHaveLength(1)
  })

  test('behavior: it answers of its newest block; by number it proves', async () => {
    const asked: unknown[] = []
    const ignoring = honest(ethereum, {
      eth_getProof: (address: string, slots: readonly string[], id: string) => {
        asked.push(id)
        const block = typeof id === 'string' ? ethereum.at(Number(id)) : ethereum.head
        return proofJson(block, address, slots)
      },
    })
    const { client } = clientOf(ethereum, [ignoring], ASKING)
    for (const at of [5, 6]) {
      expect(proven(await getBalance(client, { ...wallet, at }))).toBe(ethereum.at(at).balance)
    }
    expect(asked).toEqual([{ blockHash: ethereum.at(5).hash }, '0x5', '0x6'])
    expect(states(client)).toEqual(['healthy'])
  })

  test('behavior: a reorganization between proof and header is asked about again', async () => {
    let reads = 0
    const flipping = honest(ethereum, {
      eth_getProof: (address: string, slots: readonly string[], id: unknown) => {
        if (hashOf(id) !== undefined) throw new ScriptedError(-32602, 'expected a number')
        return proofJson(reads++ === 0 ? fork.head : ethereum.head, address, slots)
      },
    })
    const { client } = clientOf(ethereum, [flipping])
    expect(proven(await getBalance(client, wallet))).toBe(ethereum.head.balance)
    expect(states(client)).toEqual(['healthy'])
  })

  test('unavailable: code of another block', async () => {
    const away = honest(ethereum, {
      eth_getBlockByNumber: (number: string) => fork.at(Number(number)).json,
      eth_getCode: () => '0x60',
    })
    const { client } = clientOf(ethereum, [away])
    expect(await getCode(client, wallet)).toMatchObject({ error: { code: 'block' } })
    expect(states(client)).toEqual(['healthy'])
  })

  test.each([
    ['verify.root', { eth_getProof: () => proofJson(fork.head, OWNER, []) }],
    ['verify.code', { eth_getCode: () => '0x60' }],
  ] as const)('invalid: who has the block and proves another lies (%s)', async (code, lie) => {
    const { client } = clientOf(ethereum, [honest(ethereum, lie)])
    const result = await getCode(client, wallet)
    expect(result).toMatchObject({ status: 'invalid', error: { code, node: 'http://n1' } })
    expect(states(client)).toEqual(['setAside'])
  })
})

describe('one refusal of a gateway', () => {
  /** Refuses the first so many proofs. */
  function refusing(times: number, code: number): { methods: Methods; asked: unknown[] } {
    const asked: unknown[] = []
    const eth_getProof = (address: string, slots: readonly string[], id: never): unknown => {
      asked.push(id)
      if (asked.length <= times) throw new ScriptedError(code, 'not now')
      return (honest(ethereum)['eth_getProof'] as (...all: unknown[]) => unknown)(
        address,
        slots,
        id,
      )
    }
    return { methods: honest(ethereum, { eth_getProof }), asked }
  }

  test.each([-32005, -32601])(
    'behavior: after %i the block hash is used all the same',
    async (code) => {
      vi.useFakeTimers({ toFake: ['Date'] })
      const { methods, asked } = refusing(1, code)
      const { client } = clientOf(ethereum, [methods], ASKING)
      expect((await getBalance(client, wallet)).status).toBe('unavailable')
      vi.advanceTimersByTime(2_001)
      expect(proven(await getBalance(client, wallet))).toBe(ethereum.head.balance)
      expect(asked.map(hashOf)).toEqual([ethereum.head.hash, ethereum.head.hash])
      expect(reportNodes(client)[0]).toMatchObject({ state: 'healthy', badProof: undefined })
      expect([...(reportNodes(client)[0]?.profile?.lacks.keys() ?? [])]).toEqual([])
    },
  )

  test('behavior: a method that a node keeps refusing is asked for less and less', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { methods, asked } = refusing(100, -32601)
    const { client } = clientOf(ethereum, [methods], ASKING)
    const times: number[] = []
    for (let second = 0; second < 300; second++) {
      const before = asked.length
      await getBalance(client, wallet)
      if (asked.length > before) times.push(second)
      vi.advanceTimersByTime(1_000)
    }
    expect(times).toEqual([0, 2, 10, 42, 170])
  })
})

describe('Retry-After', () => {
  /** Answers the first requests with this status and header, then honestly. */
  function busy(headers: Record<string, string>, status = 429, times = 1) {
    const { fetch: reply } = scriptedFetch({
      'http://n1': honest(devnet),
      'http://n2': honest(devnet),
    })
    const asked: [string, number][] = []
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const { origin } = new URL(String(input))
      asked.push([origin, Date.now()])
      const isBusy = origin === 'http://n1' && asked.filter(([to]) => to === origin).length <= times
      return isBusy ? new Response('', { status, headers }) : reply(input, init)
    }
    return { fetch, asked }
  }
  const setUp = (nodes: string[], script: ReturnType<typeof busy>, retries = 2) =>
    clientOf(devnet, [], { nodes, fetch: script.fetch, retries, ...ASKING }).client

  test.each([429, 503])(
    'behavior: a retry after HTTP %i waits as long as it was told',
    async (status) => {
      const script = busy({ 'retry-after': '1' }, status)
      const client = setUp(['http://n1'], script)
      expect(proven(await getBalance(client, wallet))).toBe(devnet.head.balance)
      const [[, first], [, second]] = script.asked as [[string, number], [string, number]]
      expect(second - first).toBeGreaterThanOrEqual(990)
    },
  )

  test.each<[string, () => string, number]>([
    ['seconds', () => '30', 30_000],
    ['a date', () => new Date(Date.now() + 30_000).toUTCString(), 30_000],
    ['a year, which is a minute', () => `${365 * 24 * 3600}`, 60_000],
    ['a date next year', () => new Date(Date.now() + 3e10).toUTCString(), 60_000],
  ])(
    'behavior: %s: another node is asked at once, and this one not before',
    async (_, text, ms) => {
      vi.useFakeTimers({ toFake: ['Date'] })
      const script = busy({ 'retry-after': text() })
      const client = setUp(['http://n1', 'http://n2'], script)
      const count = (): number => script.asked.filter(([to]) => to === 'http://n1').length
      const ask = async (): Promise<unknown> => {
        const result = await getBalance(client, wallet)
        return 'trust' in result && result.trust.servedBy
      }
      expect(await ask()).toBe('http://n2')
      expect(states(client)).toEqual(['resting', 'healthy'])
      vi.advanceTimersByTime(ms - 3_000)
      expect([await ask(), count()]).toEqual(['http://n2', 1])
      vi.advanceTimersByTime(4_000)
      expect([await ask(), count()]).toEqual(['http://n1', 3])
    },
  )

  test('unavailable: a node alone is left alone too; it can be taken back', async () => {
    const script = busy({ 'retry-after': '30' })
    const client = setUp(['http://n1'], script)
    for (const _ of [1, 2]) {
      const error = { code: 'unreachable' }
      expect(await getBalance(client, wallet)).toMatchObject({ status: 'unavailable', error })
    }
    expect(script.asked).toHaveLength(1)
    reinstateNode(client, 'http://n1')
    expect(proven(await getBalance(client, wallet))).toBe(devnet.head.balance)
  })

  test.each(['soon', '', '-5', 'Thu, 01 Jan 1970 00:00:00 GMT'])(
    'behavior: %j is no time to wait',
    async (text) => {
      const script = busy({ 'retry-after': text })
      const client = setUp(['http://n1'], script)
      expect(proven(await getBalance(client, wallet))).toBe(devnet.head.balance)
    },
  )

  test('behavior: a clock that is set back holds up nothing', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const script = busy({ 'retry-after': '30' })
    const client = setUp(['http://n1'], script)
    await getBalance(client, wallet)
    vi.setSystemTime(Date.now() - 3_600_000)
    expect(proven(await getBalance(client, wallet))).toBe(devnet.head.balance)
  })
})
