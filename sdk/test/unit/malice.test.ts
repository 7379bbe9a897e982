/**
 * JSON that is made to trip a client: each is refused with a code and costs the liar its turn, so
 * that another node's proof still wins. Whatever else were thrown would end the question at the
 * first hostile node.
 */

import { describe, expect, test } from 'vitest'
import { createProvider } from '../../src/entry/eip1193.js'
import {
  agreeOnCheckpoint,
  createClient,
  fetchProof,
  getBalance,
  mainnet,
  sync,
  verifyProofFile,
} from '../../src/entry/node.js'
import { CODE, honest, makeChain, NOBODY, OWNER, proofJson, SLOT } from '../support/chain.js'
import { clientOf } from '../support/client.js'
import { type Methods, ScriptedError, scriptedFetch } from '../support/rpc.js'

const devnet = makeChain(12)
const ethereum = makeChain(12, 'ethereum')
const wallet = { address: OWNER }
/** What a prototype would have, but cannot be called: text cannot be made of it. */
const TOTEM = { toString: 1, valueOf: 1, toJSON: 1 }
const DEEP = 200_000
const CONTROL = /\p{C}/u
/** ESC, CSI of C1, and a mark that turns the direction of text. */
const ESCAPES = '\u001b[2J\u009b1m\u202e'

type Answer = (method: string, honestText: string) => string

/** A node whose answers' text is changed by `lie`, beside an honest one. */
function besideHonest(chain: typeof devnet, lie: Answer, methods: Methods = honest(chain)) {
  const { fetch: reply } = scriptedFetch({ 'http://n1': methods, 'http://n2': honest(chain) })
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await reply(input, init)
    if (new URL(String(input)).origin !== 'http://n1') return response
    const { method = '' } = JSON.parse(String(init?.body)) as { method?: string }
    return new Response(lie(method, await response.text()))
  }
  const nodes = ['http://n1', 'http://n2']
  return clientOf(chain, [], { nodes, fetch, batchSize: 1 }).client
}

const told =
  (method: string, from: string | RegExp, to: string): Answer =>
  (asked, text) =>
    asked === method ? text.replace(from, to) : text

const RESULT = /"result":.*}$/s

describe("a node's answer", () => {
  test.each<[string, Answer]>([
    ['a chain id beyond all numbers', told('lp_status', /"chainId":"0x4c50"/, '"chainId":1e400')],
    ['a chain id with a fraction', told('lp_status', /"chainId":"0x4c50"/, '"chainId":19536.5')],
    ['a chain id twice', told('lp_status', /"chainId":/, '"chainId":"0x1","chainId":[],"_":')],
    ['a key named __proto__', told('lp_status', RESULT, '"__proto__":{"result":{}}}')],
    ['a result of a prototype', told('lp_status', /"result":/, '"__proto__":')],
    [
      'variants of which no text can be made',
      told(
        'lp_status',
        /"limits":/,
        `"systems":{"mpt":{"variants":[${JSON.stringify(TOTEM)}]}},"limits":`,
      ),
    ],
    [
      'an error with data too deep to be written',
      told(
        'lp_status',
        RESULT,
        `"error":{"code":-1,"message":"","data":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}}`,
      ),
    ],
    [
      'a result that is too deep',
      told('eth_getProof', RESULT, `"result":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`),
    ],
    ['digits of another script', told('eth_getProof', /"nonce":"0x1"/, '"nonce":"0x\u0661"')],
    ['a number for a quantity', told('eth_getProof', /"balance":"0x3f3"/, '"balance":1011')],
  ])('behavior: %s costs it its turn', async (_, lie) => {
    const client = besideHonest(devnet, lie)
    expect(await getBalance(client, wallet)).toMatchObject({
      status: 'present',
      value: devnet.head.balance,
      trust: { servedBy: 'http://n2' },
    })
  })

  test('behavior: names of its own making reach no terminal', async () => {
    const systems = { mpt: { variants: [ESCAPES, 'x'.repeat(5000)] } }
    const status = honest(devnet)['lp_status'] as () => object
    const offering = honest(devnet, { lp_status: () => ({ ...status(), systems }) })
    const forked = honest(ethereum, {
      eth_getBlockByHash: () => ({ ...ethereum.head.json, [ESCAPES]: '0x1', number: '0x99' }),
    })
    for (const [chain, methods] of [
      [devnet, offering],
      [ethereum, forked],
    ] as const) {
      const result = await getBalance(clientOf(chain, [methods]).client, wallet)
      expect(result.status).toBe('unavailable')
      const { message = '' } = 'error' in result ? result.error : {}
      expect(message).not.toMatch(CONTROL)
      expect(message.length).toBeLessThan(500)
    }
  })
})

describe('a beacon node’s answer', () => {
  test.each(['constructor', '__proto__', 'hasownproperty', ''])(
    'behavior: the fork %j is none',
    async (version) => {
      const client = createClient({
        chain: mainnet,
        anchor: { checkpoint: `0x${'11'.repeat(32)}` },
        nodes: ['http://n1'],
        beacons: ['http://b1'],
        fetch: async () => Response.json({ version, data: {} }),
      })
      // It may be a fork that this version does not know: nobody is blamed, and nothing is proven.
      const error = { code: 'chain.fork' }
      expect(await sync(client)).toMatchObject({ status: 'unavailable', error })
    },
  )

  test('behavior: a slot of which no text can be made is no vote', async () => {
    const answer = { finalized: true, data: { root: TOTEM, header: { message: { slot: TOTEM } } } }
    const fetch = async (): Promise<Response> => Response.json(answer)
    const agreed = await agreeOnCheckpoint({ sources: ['http://a'], need: 1, fetch })
    expect(agreed).toMatchObject({ status: 'disagreed', failed: [{ code: 'decode.response' }] })
  })
})

test('error: a file whose fields are none is invalid, wherever they stand', async () => {
  const file = await fetchProof(clientOf(devnet, [honest(devnet)]).client, {
    ...wallet,
    slots: [SLOT],
  })
  const anchor = { block: devnet.head.hash }
  expect(await verifyProofFile(file, { anchor })).toMatchObject({ status: 'present' })
  const spoil = (value: unknown): unknown[] => {
    if (typeof value !== 'object' || value === null) return [TOTEM, [[TOTEM]], ESCAPES]
    return Object.entries(value).flatMap(([key, item]) =>
      spoil(item).map((bad) => {
        if (Array.isArray(value)) return value.map((old, i) => (String(i) === key ? bad : old))
        return { ...value, [key]: bad }
      }),
    )
  }
  const checked = [
    'schema',
    'kind',
    'chain',
    'system',
    'config',
    'source',
    'query',
    'variant',
    'proof',
  ]
  const spoilt = Object.entries(file).flatMap(([key, value]) =>
    checked.includes(key) ? spoil(value).map((bad) => ({ ...file, [key]: bad })) : [],
  )
  expect(spoilt.length).toBeGreaterThan(30)
  for (const bad of spoilt) {
    const result = await verifyProofFile(bad, { anchor })
    expect(result).toMatchObject({ status: 'invalid' })
    expect('error' in result && result.error.message).not.toMatch(CONTROL)
  }
})

describe('many questions at once', () => {
  /** Answers batches in any order, each exchange after a time of its own. */
  function shuffled(methods: Methods): typeof globalThis.fetch {
    const { fetch: reply } = scriptedFetch({ 'http://n1': methods })
    return async (input, init) => {
      const json = (await (await reply(input, init)).json()) as unknown
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 5))
      return Response.json(Array.isArray(json) ? json.sort(() => Math.random() - 0.5) : json)
    }
  }

  test('behavior: no answer is shown for another question', async () => {
    const fetch = shuffled(honest(devnet))
    const { client } = clientOf(devnet, [], { nodes: ['http://n1'], fetch, batchSize: 4 })
    const questions = Array.from({ length: 200 }, (_, i) => i % devnet.blocks.length)
    const results = await Promise.all(questions.map((at) => getBalance(client, { ...wallet, at })))
    for (const [i, result] of results.entries()) {
      const { balance, hash, number } = devnet.at(questions[i] ?? 0)
      expect(result).toMatchObject({ value: balance, trust: { block: { hash, number } } })
    }
  })

  test('behavior: clients of several chains and anchors share nothing that one of them proved', async () => {
    const other = makeChain(7)
    const pins = [
      [devnet, 11],
      [devnet, 3],
      [ethereum, 11],
      [other, 6],
    ] as const
    const answers = await Promise.all(
      pins.flatMap(([chain, pin]) => {
        const { client } = clientOf(chain, [honest(chain)], {
          anchor: { block: chain.at(pin).hash },
        })
        return [getBalance(client, wallet), getBalance(client, { ...wallet, at: pin + 1 })]
      }),
    )
    for (const [i, [chain, pin]] of pins.entries()) {
      const { balance, hash } = chain.at(pin)
      expect(answers[2 * i]).toMatchObject({ value: balance, trust: { anchor: { hash } } })
      expect(answers[2 * i + 1]).toMatchObject({ error: { code: 'untrusted' } })
    }
  })

  test('behavior: evidence names the node that sent its bytes', async () => {
    const liarOf = (nonce: string): Methods =>
      honest(devnet, {
        eth_getProof: (address: string, slots: readonly string[]) => ({
          ...proofJson(devnet.head, address, slots),
          nonce,
        }),
      })
    const { fetch } = scriptedFetch({ 'http://n1': liarOf('0x71'), 'http://n2': liarOf('0x72') })
    // Both are under way at the same time.
    const slow: typeof fetch = async (input, init) => {
      await new Promise((resolve) => setTimeout(resolve, 30))
      return fetch(input, init)
    }
    const nodes = ['http://n1', 'http://n2']
    const { client } = clientOf(devnet, [], { nodes, fetch: slow, hedgeMs: 1 })
    const result = await getBalance(client, wallet)
    if (result.status !== 'invalid') throw new Error(result.status)
    const sent = result.evidence.map(({ meta, ...file }) => [
      meta?.servedBy,
      'proof' in file && /7[12]/.exec(file.proof.slice(44))?.[0],
    ])
    expect(sent.sort()).toEqual([
      ['http://n1', '71'],
      ['http://n2', '72'],
    ])
  })
})

test('behavior: a question stays what it was when it was asked', async () => {
  const { client } = clientOf(devnet, [honest(devnet)])
  const provider = createProvider(client, { verify: { eth_getCode: 'off' } })
  const ask = (params: string[]): Promise<unknown> =>
    provider.request({ method: 'eth_getCode', params })
  const params = [OWNER, 'latest']
  const first = ask(params)
  params[0] = NOBODY
  expect(await Promise.all([first, ask([OWNER, 'latest']), ask(params)])).toEqual([
    CODE,
    CODE,
    '0x',
  ])
})

test('behavior: what a node calls an error is one line for a log', async () => {
  const angry = honest(devnet, {
    eth_getProof: () => {
      throw new ScriptedError(-32000, `${ESCAPES}\nfake: proven present`)
    },
  })
  const result = await getBalance(clientOf(devnet, [angry]).client, wallet)
  if (result.status !== 'unavailable') throw new Error(result.status)
  expect(result.error.message).not.toMatch(CONTROL)
  expect(result.error.message).not.toContain('\n')
})
