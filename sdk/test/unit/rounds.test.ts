/** Round trips to the first proof, counted: what is asked at once, and what a refusal costs. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { getBalance, getCode, proven, sync } from '../../src/entry/node.js'
import { honest, makeChain, OWNER, proofJson, type TestChain } from '../support/chain.js'
import { ASKING, clientOf } from '../support/client.js'
import { Forge } from '../support/forge.js'
import { type Methods, ScriptedError } from '../support/rpc.js'
import { setSlot, clientOf as signedClientOf } from '../support/sources.js'

const blocks = makeChain(200, 'ethereum')
const { head } = blocks
const question = { address: OWNER }

type Fetch = typeof globalThis.fetch
type Body = string | readonly string[]

/** Requests by round trip; those that are made while one is under way are of the same one. */
function counted(fetch: Fetch): { readonly fetch: Fetch; readonly rounds: Body[][] } {
  const rounds: Body[][] = []
  let underWay: Promise<void> | undefined
  const methodOf = ({ method }: { method: string }): string => method
  return {
    rounds,
    fetch: async (input, init) => {
      if (underWay === undefined) {
        rounds.push([])
        underWay = new Promise((resolve) => setTimeout(resolve, 50))
      }
      const { pathname } = new URL(String(input))
      const json = init?.body === undefined ? undefined : JSON.parse(String(init.body))
      const calls: Body = Array.isArray(json) ? json.map(methodOf) : json && methodOf(json)
      rounds.at(-1)?.push(calls ?? (pathname.split('/').slice(5, 6)[0] as string))
      await underWay
      underWay = undefined
      return fetch(input, init)
    },
  }
}

function countedClient(methods: Methods, change: (fetch: Fetch) => Fetch = (fetch) => fetch) {
  const { rounds, fetch } = counted(change(clientOf(blocks, [methods]).fetch))
  return { rounds, ...clientOf(blocks, [], { nodes: ['http://n1'], fetch }) }
}

const FIRST: Body[] = [['eth_chainId', 'eth_getBlockByHash'], 'eth_getProof']
const SINGLES: Body[] = ['eth_chainId', 'eth_getBlockByHash']

const noHash = honest(blocks, {
  eth_getProof: (address: string, slots: readonly string[], id: unknown) => {
    if (typeof id !== 'string') throw new ScriptedError(-32602, 'invalid argument 2')
    return proofJson(blocks.at(Number(id)), address, slots)
  },
})

describe('a pinned block', () => {
  test('default: one round trip, two requests, three calls', async () => {
    const { client, rounds } = countedClient(honest(blocks))
    expect(proven(await getBalance(client, question))).toBe(head.balance)
    expect(rounds).toEqual([FIRST])
  })

  test('default: the code travels with the paths', async () => {
    const { client, rounds } = countedClient(honest(blocks))
    proven(await getCode(client, question))
    expect(rounds).toEqual([[FIRST[0], ['eth_getProof', 'eth_getCode']]])
  })

  test('behavior: what was asked early is used once', async () => {
    const { rounds, fetch } = counted(clientOf(blocks, [honest(blocks)]).fetch)
    const { client } = clientOf(blocks, [], { nodes: ['http://n1'], fetch, ...ASKING })
    await getBalance(client, question)
    await getBalance(client, question)
    expect(rounds).toEqual([FIRST, ['eth_getProof']])
  })

  test('behavior: queries that are made at once share all of it', async () => {
    const { client, rounds } = countedClient(honest(blocks))
    await Promise.all([getBalance(client, question), getBalance(client, question)])
    expect(rounds).toEqual([FIRST])
  })

  test('behavior: a node that takes no block hash costs one more, once', async () => {
    const { client, rounds } = countedClient(noHash)
    expect(proven(await getBalance(client, question))).toBe(head.balance)
    expect(rounds).toEqual([FIRST, ['eth_getProof']])
  })

  const refusals: readonly [string, () => Response][] = [
    ['with HTTP 400', () => new Response('no batches', { status: 400 })],
    ['with HTTP 405', () => new Response('', { status: 405 })],
    ['with one error', () => Response.json({ id: null, error: { code: -32600, message: 'no' } })],
    ['with one in a list', () => Response.json([{ error: { code: -32600, message: 'no' } }])],
  ]
  test.each(refusals)(
    'behavior: a node that refuses batches %s costs one more, once',
    async (_, refuse) => {
      const { client, rounds } = countedClient(honest(blocks), (fetch) => async (input, init) => {
        return String(init?.body).startsWith('[') ? refuse() : fetch(input, init)
      })
      expect(proven(await getBalance(client, question))).toBe(head.balance)
      expect(rounds).toEqual([FIRST, SINGLES])
      await getCode(client, question)
      expect(rounds.slice(2).flat()).not.toContainEqual(expect.any(Array))
    },
  )

  test('error: a busy node is not asked for the same in pieces', async () => {
    const { client, rounds } = countedClient(honest(blocks), (fetch) => async (input, init) => {
      const isBatch = String(init?.body).startsWith('[')
      return isBatch ? new Response('', { status: 429 }) : fetch(input, init)
    })
    expect(await getBalance(client, question)).toMatchObject({ error: { code: 'unreachable' } })
    expect(rounds).toEqual([FIRST])
  })
})

describe('nothing is used before it is checked', () => {
  const lies: readonly [string, Methods, string][] = [
    ['another chain', { eth_chainId: () => '0x1' }, 'chain'],
    ['another header', { eth_getBlockByHash: () => blocks.at(3).json }, 'verify.header'],
    [
      'another proof',
      { eth_getProof: (a: string, s: string[]) => proofJson(blocks.at(3), a, s) },
      'verify.root',
    ],
    ['no proof', { eth_getProof: () => 7 }, 'decode.response'],
  ]
  test.each(lies)('error: %s, of a node that answers all else', async (_, lie, code) => {
    const { client } = clientOf(blocks, [honest(blocks, lie), honest(blocks)])
    expect(await getBalance(client, question)).toMatchObject({
      status: 'present',
      value: head.balance,
      trust: { servedBy: 'http://n2', tried: [{ node: 'http://n1', code }] },
    })
  })

  test('error: the wrong chain is said before a bad header, and that before a bad proof', async () => {
    const methods = honest(blocks, Object.assign({}, ...lies.slice(0, 3).map(([, lie]) => lie)))
    const codes = []
    for (const fixed of [{}, { eth_chainId: honest(blocks)['eth_chainId'] }] as Methods[]) {
      const { client } = clientOf(blocks, [{ ...methods, ...fixed }])
      const result = await getBalance(client, question)
      codes.push('error' in result && result.error.code)
    }
    expect(codes).toEqual(['chain', 'verify.header'])
  })
})

describe('a checkpoint', () => {
  const NOW = 186
  const forge = new Forge({ blocks })

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
    setSlot(NOW)
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** What the first proof takes once the modules are loaded. */
  async function roundsFrom(checkpoint: number): Promise<Body[][]> {
    const beacon = { script: forge.node(NOW - 1, checkpoint) }
    const make = (fetch?: Fetch) =>
      signedClientOf(forge, checkpoint, [beacon], [blocks as TestChain], fetch ? { fetch } : {})
    const warm = make()
    expect(await sync(warm.client)).toMatchObject({ status: 'synced' })
    const { rounds, fetch } = counted(warm.fetch)
    const { client } = make(fetch)
    proven(await getBalance(client, { ...question, at: 'head' }))
    return rounds
  }

  test.each([
    ['of this period', 168],
    ['older', 120],
  ])('default: %s, the chain beside the sync, then header and proof at once', async (_, slot) => {
    const rounds = await roundsFrom(slot)
    expect(rounds.slice(0, 2)).toEqual([['eth_chainId', 'bootstrap'], ['updates']])
    const newest = rounds.slice(2, -1).flat()
    expect(newest.sort()).toEqual(['finality_update', 'optimistic_update'])
    expect(rounds.at(-1)).toEqual(['eth_getBlockByHash', 'eth_getProof'])
  })
})
