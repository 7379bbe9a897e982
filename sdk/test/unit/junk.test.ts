/**
 * Megabytes of junk where a proof should be: refused before anything of it is decoded, mostly
 * before it is read.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fetchProof, getStorage, proven } from '../../src/entry/node.js'
import { doJob, employ } from '../../src/proving/engine.js'
import { boundProof } from '../../src/systems/mpt/bounds.js'
import { honest, makeChain, OWNER, proofJson, SLOT } from '../support/chain.js'
import { clientOf } from '../support/client.js'

/** What runs within is a worker's: the page's own thread does all else. */
const inWorker = new AsyncLocalStorage<true>()
/** Calls of the decoder, by who made them. */
const decoded = { worker: 0, page: 0 }

vi.mock('../../src/systems/mpt/encode.js', async (original) => {
  const own = await original<typeof import('../../src/systems/mpt/encode.js')>()
  const encodeProof: typeof own.encodeProof = (...given) => {
    decoded[inWorker.getStore() ? 'worker' : 'page']++
    return own.encodeProof(...given)
  }
  return { ...own, encodeProof }
})

const ethereum = makeChain(4, 'ethereum')
const question = { address: OWNER, slot: SLOT }
const honestProof = proofJson(ethereum.head, OWNER, [SLOT])
const [slot] = honestProof.storageProof
const MIB = 1 << 20
const deep = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item)

/** Each is beyond what any honest answer holds. */
const JUNK: readonly [string, object][] = [
  ['66 nodes of an account', { accountProof: many(66, '0x80') }],
  ['66 nodes of a slot', { storageProof: [{ ...slot, proof: many(66, '0x80') }] }],
  ['two slots where one was asked for', { storageProof: [slot, slot] }],
  ['a node of 601 bytes', { accountProof: [`0x${'00'.repeat(601)}`] }],
  ['a balance of a thousand digits', { balance: `0x${'1'.repeat(2000)}` }],
  ['a key of a thousand digits', { storageProof: [{ ...slot, key: '0'.repeat(2000) }] }],
]

/** Text for text, whatever else is there. */
const NO_TEXT: readonly [string, object, string][] = [
  ['a deep list for an address', { address: deep(2_000) }, 'address'],
  ['a deep list for a node', { accountProof: [deep(2_000)] }, 'accountProof[0]'],
  ['a deep list for a slot', { storageProof: [deep(2_000)] }, 'storageProof[0]'],
  ['an object for nodes', { accountProof: { length: 1e9 } }, 'accountProof'],
  ['a number for a value', { storageProof: [{ ...slot, value: 1 }] }, 'storageProof[0].value'],
]

async function ask(change: object, code: string): Promise<string[]> {
  const jobs: string[] = []
  const eth_getProof = (): unknown => ({ ...honestProof, ...change })
  const { client } = clientOf(ethereum, [honest(ethereum, { eth_getProof }), honest(ethereum)])
  employ((job) => {
    jobs.push(job.kind)
    return doJob(job)
  })
  try {
    const result = await getStorage(client, question)
    expect(result).toMatchObject({
      status: 'present',
      value: ethereum.head.slotValue,
      trust: { servedBy: 'http://n2', tried: [{ node: 'http://n1', code }] },
    })
  } finally {
    employ()
  }
  return jobs
}

describe('an answer of eth_getProof', () => {
  test.each(JUNK)('invalid: %s reaches no decoder', async (_, change) => {
    const jobs = await ask(change, 'decode.limit')
    expect(jobs.filter((kind) => kind === 'encode')).toHaveLength(1)
  })

  test.each(NO_TEXT)('invalid: %s is refused by its name', async (_, change, field) => {
    await ask(change, 'decode.response')
    const bounded = boundProof({ ...honestProof, ...change }, 1)
    expect(JSON.stringify(bounded).length).toBeLessThan(5_000)
    const { encodeProof } = await import('../../src/systems/mpt/encode.js')
    expect(() => encodeProof(bounded)).toThrow(`${field}: `)
  })

  test.each([
    [1, 200_000],
    [100, 4 * MIB],
  ])('behavior: of %i slots no more than %i bytes are read', async (count, most) => {
    let sent = 0
    const chunk = new Uint8Array(65_536).fill(0x20)
    const body = (): ReadableStream<Uint8Array> =>
      new ReadableStream({
        pull: (controller) => {
          sent += chunk.length
          if (sent > 16 * MIB) controller.close()
          else controller.enqueue(chunk)
        },
      })
    const script = clientOf(ethereum, [honest(ethereum)])
    const fetch: typeof script.fetch = async (input, init) => {
      const isProof = String(init?.body).includes('eth_getProof')
      return isProof ? new Response(body()) : script.fetch(input, init)
    }
    const { client } = clientOf(ethereum, [], { nodes: ['http://n1'], fetch })
    const slots = Array.from({ length: count }, (_, i) => i)
    await expect(fetchProof(client, { address: OWNER, slots })).rejects.toMatchObject({
      code: 'unreachable',
    })
    expect(sent).toBeLessThan(most + 4 * chunk.length)
  })

  test('behavior: the longest honest answers pass', () => {
    const node = `0x${'ff'.repeat(532)}`
    const path = many(65, node)
    const reply = { ...honestProof, accountProof: path, storageProof: [{ ...slot, proof: path }] }
    expect(boundProof(reply, 1)).toEqual(reply)
  })

  test('default: an honest answer', async () => {
    const { client } = clientOf(ethereum, [honest(ethereum)])
    expect(proven(await getStorage(client, question))).toBe(ethereum.head.slotValue)
  })
})

describe('what the thread of a page does with an answer of eth_getProof', () => {
  const KIB = 1000
  /** Characters of each text that JSON.parse took there. */
  let parsed: number[] = []
  const { parse } = JSON

  beforeEach(() => {
    parsed = []
    Object.assign(decoded, { worker: 0, page: 0 })
    employ((job) => inWorker.run(true, () => doJob(job)))
    vi.spyOn(JSON, 'parse').mockImplementation((text, ...rest) => {
      if (!inWorker.getStore()) parsed.push(String(text).length)
      return parse(text, ...rest)
    })
  })
  afterEach(() => {
    vi.restoreAllMocks()
    employ()
  })

  /**
   * A client of a node whose answer holds so many characters of lists, empty ones if not told, and
   * of an honest one.
   */
  const junkOf = (size: number, item = '[],') => {
    const script = clientOf(ethereum, [honest(ethereum), honest(ethereum)])
    const lists = `[${item.repeat(size / item.length)}[]]`
    const fetch: typeof script.fetch = async (input, init) => {
      const body = String(init?.body)
      const isJunk = new URL(String(input)).hostname === 'n1' && body.includes('eth_getProof')
      if (!isJunk) return script.fetch(input, init)
      const { id } = parse(body) as { id: number }
      return new Response(`{"jsonrpc":"2.0","id":${id},"result":{"accountProof":${lists}}}`)
    }
    return clientOf(ethereum, [], { nodes: ['http://n1', 'http://n2'], fetch }).client
  }
  const MANY = 100

  test.each([
    ['4 MiB for one slot: nothing of it is parsed', 4 * MIB, 1, 'transport.size', 0],
    ['200 kB for one slot: nothing of it is parsed', 200 * KIB, 1, 'transport.size', 0],
    [
      'as much as an answer for one slot: nothing of it is parsed',
      150 * KIB,
      1,
      'transport.size',
      0,
    ],
    [
      'as much as one for 100 slots: nothing of it is parsed',
      4 * MIB - KIB,
      MANY,
      'transport.size',
      0,
    ],
    ['more for 100 slots: nothing of it is parsed', 5 * MIB, MANY, 'transport.size', 0],
  ])('%s', async (_, size, count, code, times) => {
    const slots = [SLOT, ...Array.from({ length: count - 1 }, (_, i) => BigInt(i))]
    const client = junkOf(size)
    const file = await fetchProof(client, { address: OWNER, slots }).catch(
      (error: unknown) => error,
    )
    // The honest one's answer is less than this.
    expect(parsed.filter((length) => length > 100 * KIB)).toHaveLength(times)
    expect(client.nodes[0]?.health.lastCode).toBe(code)
    expect([decoded, file]).toEqual([
      { worker: 1, page: 0 },
      expect.objectContaining({ kind: 'proof' }),
    ])
  })

  test.each([
    ['for one slot', 150 * KIB, 1],
    ['for 100 slots', 4 * MIB - KIB, MANY],
  ])(
    'long texts in place of nodes, %s: parsed once, of few values, and not decoded',
    async (_, size, count) => {
      const slots = [SLOT, ...Array.from({ length: count - 1 }, (_, i) => BigInt(i))]
      const client = junkOf(size, '"0x00000000000000000000000000000000",')
      expect(await fetchProof(client, { address: OWNER, slots })).toMatchObject({ kind: 'proof' })
      expect(parsed.filter((length) => length > 100 * KIB)).toHaveLength(1)
      expect(client.nodes[0]?.health.lastCode).toBe('decode.limit')
      expect(decoded).toEqual({ worker: 1, page: 0 })
    },
  )

  test('as many values as an honest answer has: 1,024 slots of which none is there', async () => {
    const chain = makeChain(4, 'ethereum')
    const { client } = clientOf(chain, [honest(chain)])
    const slots = Array.from({ length: 1024 }, (_, i) => BigInt(i))
    expect(await fetchProof(client, { address: OWNER, slots })).toMatchObject({ kind: 'proof' })
    expect(Math.max(...parsed)).toBeGreaterThan(100 * KIB)
  })

  test('an honest answer: it is parsed there, and decoded in the worker', async () => {
    const { client } = clientOf(ethereum, [honest(ethereum)])
    expect(proven(await getStorage(client, question))).toBe(ethereum.head.slotValue)
    expect(decoded).toEqual({ worker: 1, page: 0 })
    expect(Math.max(...parsed)).toBeLessThan(10 * KIB)
  })
})
