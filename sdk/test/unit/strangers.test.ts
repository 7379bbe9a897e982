/**
 * Text that strangers wrote, 5,000 characters of it and hostile ones among them, in every place
 * from which it can come into an error: what gets through is escaped, and cut at 200 characters a
 * piece.
 */

import { encodeErrorResult, parseAbi } from 'viem'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ProviderRpcError as Refusal } from '../../src/adapters/rpcError.js'
import { toHex } from '../../src/encoding/hex.js'
import { createProvider, type ProviderRpcError } from '../../src/entry/eip1193.js'
import { CallError, call, evm, fetchCallProof, verifyCallFile } from '../../src/entry/evm.js'
import { followedChain, verifyContradiction } from '../../src/entry/follows.js'
import {
  createClient,
  defineChain,
  devnet,
  fetchProof,
  getBalance,
  getBlock,
  getStorage,
  getValue,
  InputError,
  PlatformError,
  ProofError,
  printable,
  RpcError,
  sync,
  TransportError,
  UnavailableError,
  verifyProofFile,
} from '../../src/entry/node.js'
import { createPushClient, PushError, pushBlock } from '../../src/entry/push.js'
import { readContract } from '../../src/entry/viem.js'
import * as world from '../support/callWorld.js'
import { honest, makeChain, OWNER, SLOT, type TestChain } from '../support/chain.js'
import { ASKING, clientOf } from '../support/client.js'
import { code } from '../support/contracts.js'
import * as followed from '../support/following.js'
import { Forge } from '../support/forge.js'
import { type Methods, ScriptedError } from '../support/rpc.js'
import * as sources from '../support/sources.js'
import { stateChain } from '../support/state.js'
import { expectCut, LONG, PLAIN, withText } from '../support/strangers.js'

type Work = () => Promise<unknown>

/** The error of an action, thrown or returned; undefined where there is none. */
async function errorOf(work: Work): Promise<unknown> {
  try {
    const result = await work()
    return (result as { readonly error?: unknown }).error
  } catch (error) {
    return error
  }
}

/** Expects an error, with no text that is not cut. */
async function expectRefused(work: Work): Promise<void> {
  const error = await errorOf(work)
  expect(error).toBeInstanceOf(Error)
  expectCut(error)
}

describe('every class of errors', () => {
  const details = { node: 'n', method: 'm', rpcCode: 1 }
  const told = printable(LONG)

  test.each([
    ['InputError', new InputError('input.option', LONG, told)],
    [
      'ProofError',
      new ProofError('verify.root', told, { cause: new ProofError('verify.root', told) }),
    ],
    ['UnavailableError', new UnavailableError('node', `${told}; asked ${told}`)],
    ['TransportError', new TransportError('transport.json', 'n', told)],
    ['RpcError', new RpcError('rpc.server', { ...details, message: LONG })],
    ['PlatformError', new PlatformError('platform.wasm', told)],
    ['PushError', new PushError('push.refused', told)],
    ['CallError', new CallError('call.reverted', '0x', LONG)],
    ['ProviderRpcError', new Refusal(-32603, told)],
  ])('%s', (name, error) => {
    expect(error.name).toBe(name)
    expectCut(error)
  })

  test.each([
    ['UnavailableError', new UnavailableError('node', LONG)],
    ['PushError', new PushError('push.refused', LONG)],
    ['ProviderRpcError', new Refusal(-32603, LONG)],
  ])('%s: nothing that a terminal obeys, even if nobody cut it before', (_, { message }) => {
    expect(message).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
  })
})

describe('nodes', () => {
  const chain = makeChain(4, 'ethereum')
  const own = makeChain(4)
  const refusing: Methods = new Proxy({} as Methods, {
    get: () => () => {
      throw new ScriptedError(-32000, LONG)
    },
  })
  const ask = (of: TestChain, methods: Methods): Work => {
    const { client } = clientOf(of, [methods], ASKING)
    return () => getStorage(client, { address: OWNER, slot: SLOT, at: 1n })
  }

  test.each([
    ['of Ethereum', chain],
    ['of a devnet', own],
  ])('a refusal in words, %s', async (_, of) => {
    await expectRefused(ask(of, refusing))
  })

  test.each([
    ['eth_chainId', chain],
    ['eth_getProof', chain],
    ['eth_getBlockByHash', chain],
    ['eth_getBlockByNumber', chain],
    ['lp_status', own],
    ['lp_getHeader', own],
    ['lp_getHeaders', own],
    ['eth_getProof', own],
  ])('every place of an answer: %s', async (method, of) => {
    const answers = honest(of)
    let places = 0
    let errors = 0
    for (let place = 0; place === 0 || place < places; place++) {
      const lie = (...params: never[]): unknown => {
        const all = withText(answers[method]?.(...params), LONG)
        places = Math.max(places, all.length)
        return all[place % all.length]?.[1]
      }
      const error = await errorOf(ask(of, { ...answers, [method]: lie }))
      if (error === undefined) continue
      expectCut(error)
      errors++
    }
    expect([method, places > 0, errors > 0]).toEqual([method, true, true])
  })

  test.each([
    ['no JSON', async () => new Response(LONG)],
    [
      'an HTTP status',
      async () => new Response(LONG, { status: 500, statusText: PLAIN.slice(0, 9) }),
    ],
    ['headers', async () => new Response('{}', { headers: { 'content-type': 'x'.repeat(5000) } })],
    [
      'a failed exchange',
      async () => Promise.reject(new TypeError(LONG, { cause: new Error(LONG) })),
    ],
    [
      'a failed exchange, by another name',
      async () => Promise.reject(Object.assign(new Error(LONG), { name: LONG, code: LONG })),
    ],
    ['a failed exchange, in no error', async () => Promise.reject(LONG)],
  ])('%s', async (_, fetch) => {
    const { client } = clientOf(chain, [{}], { fetch: fetch as typeof globalThis.fetch })
    await expectRefused(() => getBalance(client, { address: OWNER }))
  })

  test('URLs, whose hosts may be long', async () => {
    const anchor = { block: chain.head.hash }
    const nodes = [`http://${'q'.repeat(5000)}`, `http://${'q'.repeat(5001)}`]
    const client = createClient({
      chain: chain.chain,
      anchor,
      nodes,
      retries: 0,
      fetch: () => Promise.reject(new Error('no')),
    })
    const error = await errorOf(() => getBalance(client, { address: OWNER }))
    expect(String(error)).not.toMatch(/q{200}/)
    expect(new Set(client.nodes.map(({ name }) => name)).size).toBe(2)
    for (const url of [LONG, `http://${LONG}`, `ftp://${PLAIN}`]) {
      await expectRefused(async () => createClient({ chain: chain.chain, anchor, nodes: [url] }))
    }
  })
})

describe('files', () => {
  const chain = makeChain(4, 'ethereum')
  const own = makeChain(4)

  /** Reads a file with the text in each of its places; how often it was refused. */
  async function refusals(file: unknown, read: (file: never) => Promise<unknown>): Promise<number> {
    let refused = 0
    for (const text of [LONG, PLAIN]) {
      for (const [, copy] of withText(file, text)) {
        const error = await errorOf(() => read(copy as never))
        if (error === undefined) continue
        expectCut(error)
        refused++
      }
    }
    return refused
  }

  test.each([
    ['of Ethereum', chain],
    ['of a devnet', own],
  ])('proofs, %s', async (_, of) => {
    const { client } = clientOf(of, [honest(of)])
    const expires = '2126-01-01T00:00:00Z'
    const question = { address: OWNER, slots: [SLOT], at: 1n, expires: new Date(expires) }
    const file = await fetchProof(client, question)
    const reading = { anchor: { block: of.head.hash } }
    expect(await refusals(file, (copy) => verifyProofFile(copy, reading))).toBeGreaterThan(30)
    const named = { ...reading, chain: of.chain }
    expect(await refusals(file, (copy) => verifyProofFile(copy, named))).toBeGreaterThan(30)
  })

  test('evidence of a lie', async () => {
    const lie = (...params: never[]): unknown => {
      return { ...(honest(own)['eth_getProof']?.(...params) as object), balance: '0x7' }
    }
    const { client } = clientOf(own, [{ ...honest(own), eth_getProof: lie }], ASKING)
    const result = await getBalance(client, { address: OWNER })
    const [evidence] = result.status === 'invalid' ? result.evidence : []
    expect(evidence).toBeDefined()
    const reading = { anchor: { block: own.head.hash } }
    expect(await refusals(evidence, (copy) => verifyProofFile(copy, reading))).toBeGreaterThan(30)
  })

  test('calls', async () => {
    const { client } = clientOf(world.chain, [world.methods], ASKING)
    const data = world.balanceOf(world.ALICE)
    const file = await fetchCallProof(client, { to: world.PROXY, data })
    const reading = { anchor: { block: world.chain.head.hash }, chain: world.chain.chain }
    expect(await refusals(file, (copy) => verifyCallFile(copy, reading))).toBeGreaterThan(30)
  })

  test('contradictions', async () => {
    const lies = followed.following(followed.ethereum, (truth, n) =>
      n < 5 ? truth : { origin: followed.fork.at(n).hash, state: followed.fork.at(n) },
    )
    const follows = followedChain(followed.clientOf(followed.ethereum))
    const client = followed.clientOf(lies, { follows })
    const file = await followed.evidenceOf(getStorage(client, { address: OWNER, slot: SLOT }))
    const reading = {
      anchor: { block: lies.head.hash },
      chain: lies.chain,
      origin: followed.ethereum.head.hash,
    }
    expect(await refusals(file, (copy) => verifyContradiction(copy, reading))).toBeGreaterThan(20)
  })

  test('chains', async () => {
    const { chain: config } = makeChain(2, 'ethereum')
    for (const given of [
      config,
      devnet(config.genesisHash, { committeeSize: 8, periodLength: 4 }),
    ]) {
      const refused = await refusals(given, async (copy) => defineChain(copy))
      expect(refused).toBeGreaterThan(8)
    }
  })
})

describe('beacon nodes', () => {
  const blocks = makeChain(200, 'ethereum')
  const forge = new Forge({ blocks })
  const honestScript = forge.node(185, 136)
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
    sources.setSlot(186)
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test.each(['bootstrap', 'updates', 'finality_update', 'optimistic_update'])(
    '%s',
    async (route) => {
      for (let place = 0, places = 1; place < places; place += 3) {
        const script: typeof honestScript = (asked, query, request) => {
          const answer = honestScript(asked, query, request)
          if (!asked.startsWith(route) || answer === undefined) return answer
          const all = withText(answer, LONG)
          places = all.length
          return all[place]?.[1] as typeof answer
        }
        const { client } = sources.clientOf(forge, 136, [{ script }], [blocks])
        const error = await errorOf(() => sync(client))
        if (error !== undefined) expectCut(error)
      }
    },
  )
})

describe('contracts', () => {
  const LIAR = world.address(0x7001)
  const abi = parseAbi([
    'function a() view returns (uint256)',
    'error Own(string words)',
    'error Error(string words)',
  ])
  /** A client of a chain with a contract that reverts with the data. */
  const reverting = (data: `0x${string}`) => {
    const words = data.slice(2).match(/.{1,64}/g) ?? []
    const stores = words.flatMap(
      (word, i) => [`0x${word.padEnd(64, '0')}` as const, 32 * i, 'mstore'] as const,
    )
    const account = { nonce: 1n, code: code(...stores, data.length / 2 - 1, 0, 'revert') }
    const { chain, methods } = stateChain([{ [LIAR]: account }], world.FORKS)
    return clientOf(chain, [methods], ASKING).client
  }

  test.each(['Error', 'Own'] as const)('%s, with words of the contract', async (errorName) => {
    const data = encodeErrorResult({ abi, errorName, args: [LONG] })
    const client = reverting(data)
    await expectRefused(() => call(client, { to: LIAR }))
    await expectRefused(() => readContract(client, { address: LIAR, abi, functionName: 'a' }))
    const provider = createProvider(client, { extensions: [evm()] })
    await expectRefused(() => provider.request({ method: 'eth_call', params: [{ to: LIAR }] }))
    const simulation = { blockStateCalls: [{ calls: [{ to: LIAR }] }] }
    const told = await provider.request({
      method: 'eth_simulateV1',
      params: [simulation, 'latest'],
    })
    const [{ calls: [outcome] = [] } = {}] = told as { calls: { error?: { message: string } }[] }[]
    expect(outcome?.error?.message).toContain('execution reverted')
    expectCut(String(outcome?.error?.message))
  })
})

describe('pages and other programs', () => {
  const chain = makeChain(3)
  const { client } = clientOf(chain, [honest(chain)])
  const provider = createProvider(client, { extensions: [evm()] })

  test.each<[string, unknown[]]>([
    [LONG, []],
    [`eth_${LONG}`, []],
    [`wallet_${LONG}`, []],
    [`personal_${LONG}`, []],
    ...[
      'eth_getBalance',
      'eth_getStorageAt',
      'eth_getBlockByNumber',
      'eth_getBlockByHash',
      'eth_getProof',
      'eth_call',
      'eth_simulateV1',
      'eth_subscribe',
      'eth_unsubscribe',
      'eth_sendRawTransaction',
      'eth_getTransactionByHash',
      'eth_getLogs',
      'eth_newFilter',
      'eth_feeHistory',
      'wallet_switchEthereumChain',
      'web3_sha3',
    ].flatMap((method): [string, unknown[]][] => [
      [method, [LONG, LONG, LONG]],
      [method, [OWNER, LONG, LONG]],
      [method, [{ [LONG]: LONG }, LONG]],
      [method, [{ blockStateCalls: [{ [LONG]: 1, calls: [] }] }, 'latest']],
      [method, [{ blockStateCalls: [{ calls: [] }], [LONG]: 1 }, 'latest']],
      [method, [{ chainId: LONG }]],
    ]),
  ])('a request, %#', async (method, params) => {
    const error = (await errorOf(() => provider.request({ method, params }))) as ProviderRpcError
    if (error !== undefined) expectCut(error)
  })

  test.each([
    [getBalance, { address: LONG }],
    [getBalance, { address: OWNER, [LONG]: 1 }],
    [getBalance, { address: OWNER, at: LONG }],
    [getBlock, { block: LONG }],
    [getStorage, { address: OWNER, slot: LONG }],
    [getValue, { system: LONG }],
  ] as const)('an argument: %o', async (action, parameters) => {
    await expectRefused(() =>
      (action as (client: unknown, given: unknown) => Promise<unknown>)(client, parameters),
    )
  })

  test.each([
    ['words', () => Response.json({ error: { code: -32022, message: LONG } })],
    ['a code', () => Response.json({ error: { code: LONG, message: LONG } })],
    ['no words', () => Response.json({ error: { code: 7, message: { toString: 1 } } })],
    ['no JSON', () => new Response(LONG)],
    ['a refused token', () => new Response(LONG, { status: 401 })],
  ])('a node that takes blocks: %s', async (_, answer) => {
    const fetch = async () => answer()
    const pusher = createPushClient({
      url: 'http://n1',
      secret: toHex(new Uint8Array(32)),
      retries: 0,
      fetch,
    })
    await expectRefused(() => pushBlock(pusher, { number: 1, timestamp: 1, changes: [] } as never))
  })
})
