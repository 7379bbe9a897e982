/**
 * Names of ENS both ways, over a made-up resolver that answers exact questions alone; viem codes
 * what it is asked.
 */

import {
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  encodeFunctionResult,
  namehash,
  parseAbi,
  toHex,
} from 'viem'
import { normalize, packetToBytes } from 'viem/ens'
import { describe, expect, test } from 'vitest'
import type { Hex } from '../../src/encoding/hex.js'
import { type GatewayOptions, lookupAddress, resolveName } from '../../src/entry/evm.js'
import { proven } from '../../src/entry/node.js'
import { ALICE, address, BOB, FORKS, state, word } from '../support/callWorld.js'
import { ASKING, clientOf } from '../support/client.js'
import { type Scripted, scriptedCode } from '../support/resolver.js'
import type { Methods } from '../support/rpc.js'
import { stateChain } from '../support/state.js'

const UR = parseAbi([
  'function resolve(bytes name, bytes data) view returns (bytes, address)',
  'function reverse(bytes lookup, uint256 coinType) view returns (string, address, address)',
  'function addr(bytes32 node) view returns (address)',
  'function query((address sender, string[] urls, bytes data)[]) view returns (bool[] failures, bytes[] responses)',
  'function back(bytes response, bytes extra) view returns (bytes, address)',
  'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extra)',
  'error ResolverNotFound(bytes name)',
  'error ReverseAddressMismatch(string primary, bytes primaryAddress)',
  'error HttpError(uint16 status, string message)',
])
const RESOLVER = address(0x4001)

const resolving = (name: string): Hex => {
  const data = encodeFunctionData({ abi: UR, functionName: 'addr', args: [namehash(name)] })
  const args = [toHex(packetToBytes(name)), data] as const
  return encodeFunctionData({ abi: UR, functionName: 'resolve', args })
}
const reversing = (of: Hex): Hex =>
  encodeFunctionData({ abi: UR, functionName: 'reverse', args: [of, 60n] })
const found = (at: Hex): Hex =>
  encodeFunctionResult({ abi: UR, functionName: 'resolve', result: [word(BigInt(at)), RESOLVER] })
const claimed = (name: string): Hex =>
  encodeFunctionResult({ abi: UR, functionName: 'reverse', result: [name, RESOLVER, RESOLVER] })
const lookup = (urls: readonly string[], callData: Hex, sender = RESOLVER): Hex =>
  encodeErrorResult({
    abi: UR,
    errorName: 'OffchainLookup',
    args: [sender, urls, callData, BACK, '0xe5'],
  })
const BACK = encodeFunctionData({ abi: UR, functionName: 'back', args: ['0x', '0x'] }).slice(
  0,
  10,
) as Hex
const calledBack = (response: Hex): Hex =>
  encodeFunctionData({ abi: UR, functionName: 'back', args: [response, '0xe5'] })
const NOT_FOUND = encodeErrorResult({ abi: UR, errorName: 'ResolverNotFound', args: ['0x00'] })

const GATEWAY = 'https://gateway.example/{sender}/{data}.json'
const TRUE_RESPONSE = '0x600d'
const MISMATCH = encodeErrorResult({
  abi: UR,
  errorName: 'ReverseAddressMismatch',
  args: ['alice.eth', BOB],
})

/** A chain whose resolver answers so. */
function world(cases: readonly Scripted[], overrides: Methods = {}) {
  const account = { nonce: 1n, code: scriptedCode(cases, NOT_FOUND) }
  const { chain, methods } = stateChain([{}, { ...state, [RESOLVER]: account }], FORKS)
  return clientOf(chain, [{ ...methods, ...overrides }], ASKING).client
}
const CASES: readonly Scripted[] = [
  { to: resolving('alice.eth'), data: found(ALICE) },
  { to: resolving('none.eth'), data: found(address(0)) },
  { to: resolving('junk.eth'), data: '0x1234' },
  { to: reversing(ALICE), data: claimed('alice.eth') },
  // Claims a name that leads elsewhere, one that is not in its form, and one that looks like
  // another.
  { to: reversing(BOB), data: claimed('alice.eth') },
  { to: reversing(address(1)), data: claimed('Alice.eth') },
  { to: reversing(address(2)), data: claimed('аlice.eth') },
  { to: reversing(address(3)), data: MISMATCH, reverts: true },
  { to: reversing(address(4)), data: claimed('') },
  { to: reversing(address(5)), data: '0x' },
]
const resolve = (name: string, rest: object = {}, client = world(CASES)) =>
  resolveName(client, { name, universalResolver: RESOLVER, ...rest })
const primary = (of: Hex, rest: object = {}) =>
  lookupAddress(world(CASES), { address: of, universalResolver: RESOLVER, ...rest })

describe('names on the chain', () => {
  test('an address, and that there is none', async () => {
    expect(proven(await resolve('alice.eth'))).toEqual({ address: ALICE, gateways: [] })
    expect(proven(await resolve('ALICE.eth')).address).toBe(ALICE)
    expect(proven(await resolve('alice.eth', { normalize })).address).toBe(ALICE)
    expect(proven(await resolve('none.eth')).address).toBeUndefined()
    expect(proven(await resolve('nobody.eth')).address).toBeUndefined()
    expect(await resolve('junk.eth')).toMatchObject({ status: 'reverted' })
  })

  test('a name of an address, forward-checked', async () => {
    expect(proven(await primary(ALICE))).toEqual({ name: 'alice.eth', gateways: [] })
    for (const who of [BOB, address(1), address(3), address(4), address(9)]) {
      expect(proven(await primary(who)).name).toBeUndefined()
    }
    // It begins with a Cyrillic letter.
    expect(await primary(address(2))).toMatchObject({ error: { code: 'unsupported' } })
    expect(proven(await primary(address(2), { normalize })).name).toBeUndefined()
    expect(await primary(address(5))).toMatchObject({ status: 'reverted' })
  })

  test('a lie is no address', async () => {
    const liar = world(CASES, { eth_getCode: () => '0x00' })
    expect(await resolve('alice.eth', {}, liar)).toMatchObject({ status: 'invalid' })
    const mute = world(CASES, { eth_getProof: () => null })
    expect((await resolve('alice.eth', {}, mute)).status).toMatch(/^(invalid|unavailable)$/)
  })

  test.each([
    [{ name: 7 }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'a..eth' }, 'name'],
    [{ name: 'xn--a.eth' }, 'name'],
    [{ name: 'a b.eth' }, 'name'],
    [{ name: 'аlice.eth' }, 'name'],
    [{ name: `${'a'.repeat(256)}.eth` }, 'name'],
    [{ name: 'alice.eth', universalResolver: undefined }, 'universalResolver'],
    [{ name: 'alice.eth', universalResolver: '0x1' }, 'universalResolver'],
    [{ name: 'alice.eth', normalize: 7 }, 'normalize'],
    [{ name: 'alice.eth', ccipRead: { retries: 7 } }, 'retries'],
    [{ name: 'alice.eth', ccipRead: { timeoutMs: 0 } }, 'timeoutMs'],
  ])('input: %o', async (parameters, argument) => {
    const given = { universalResolver: RESOLVER, ...parameters } as never
    await expect(resolveName(world(CASES), given)).rejects.toMatchObject({ argument })
  })
})

describe('names off the chain', () => {
  const offchain = (urls: readonly string[], more: readonly Scripted[] = []) =>
    world([
      { to: resolving('off.eth'), data: lookup(urls, '0xca11'), reverts: true },
      { to: calledBack(TRUE_RESPONSE), data: found(BOB) },
      ...more,
    ])
  const asked: (readonly [string, RequestInit | undefined])[] = []
  const gateway = (answer: () => Response | Promise<Response>): GatewayOptions => ({
    fetch: async (input, init) => {
      asked.push([String(input), init])
      return answer()
    },
  })
  const honest = gateway(() => Response.json({ data: TRUE_RESPONSE }))
  const off = (urls: readonly string[], ccipRead: unknown, more: readonly Scripted[] = []) =>
    resolve('off.eth', { ccipRead }, offchain(urls, more))

  test('without leave no gateway is asked', async () => {
    asked.length = 0
    expect(await off([GATEWAY], undefined)).toMatchObject({ error: { code: 'unsupported' } })
    expect(asked).toEqual([])
  })

  test("an answer that the contract's callback accepts", async () => {
    asked.length = 0
    const result = await off([GATEWAY], honest)
    const gateways = ['https://gateway.example']
    expect(proven(result)).toEqual({ address: BOB, gateways })
    const [[url, init] = []] = asked
    expect(url).toBe(`https://gateway.example/${RESOLVER}/0xca11.json`)
    expect(init).toMatchObject({ method: 'GET', redirect: 'manual', referrerPolicy: 'no-referrer' })
    expect(proven(await off(['https://gateway.example/'], honest)).address).toBe(BOB)
    const [, second] = asked[1] ?? []
    expect(second).toMatchObject({ method: 'POST' })
    expect(JSON.parse(String(second?.body))).toEqual({ data: '0xca11', sender: RESOLVER })
  })

  test.each([
    ['another answer', () => Response.json({ data: '0xbad0' })],
    ['no hex', () => Response.json({ data: 7 })],
    ['no JSON', () => new Response('<html>')],
    ['an error', () => new Response('', { status: 500 })],
    ['a redirect', () => new Response('', { status: 302, headers: { location: 'http://x' } })],
    ['too much', () => Response.json({ data: `0x${'00'.repeat(600_000)}` })],
    ['nothing', () => Promise.reject(new TypeError('fetch failed'))],
  ])('%s from a gateway is no address; the next gateway is asked', async (_, answer) => {
    const lying = gateway(answer)
    const alone = await off([GATEWAY], lying)
    expect(alone).toMatchObject({ status: 'unavailable', error: { code: 'unreachable' } })
    let count = 0
    const second = gateway(() =>
      count++ === 0 ? answer() : Response.json({ data: TRUE_RESPONSE }),
    )
    expect(proven(await off([GATEWAY, GATEWAY], second)).address).toBe(BOB)
  })

  test('a refusal in the callback is no proof that there is none', async () => {
    // The made-up resolver answers what it does not know with ResolverNotFound.
    const lying = gateway(() => Response.json({ data: '0xbad0' }))
    expect(await off([GATEWAY], lying)).toMatchObject({ status: 'unavailable' })
  })

  test.each([
    'http://gateway.example/{data}',
    'https://127.0.0.1/{data}',
    'https://2130706433/{data}',
    'https://[::1]/{data}',
    'https://localhost/{data}',
    'https://router.local/{data}',
    'https://gateway.example:8443/{data}',
    'https://user:word@gateway.example/{data}',
    'file:///etc/{data}',
    'data:application/json,{"data":"0x600d"}',
    'ipfs://x/{data}',
    'no url',
    '',
  ])('%s is not asked', async (url) => {
    asked.length = 0
    const result = await off([url], honest)
    expect(result).toMatchObject({ status: 'unavailable', error: { code: 'unreachable' } })
    expect(asked).toEqual([])
  })

  test('a contract that asks in the name of another, that asks on and on, that names too many', async () => {
    const data = lookup([GATEWAY], '0xca11', address(0x4002))
    const other = world([{ to: resolving('off.eth'), data, reverts: true }])
    const reverted = await resolve('off.eth', { ccipRead: honest }, other)
    expect(reverted).toMatchObject({ status: 'reverted', error: { code: 'call.reverted' } })
    const again = { to: calledBack(TRUE_RESPONSE), data: lookup([GATEWAY], '0x'), reverts: true }
    const endless = world([
      { to: resolving('off.eth'), data: lookup([GATEWAY], '0x'), reverts: true },
      again,
    ])
    const limited = await resolve('off.eth', { ccipRead: honest }, endless)
    expect(limited).toMatchObject({ status: 'unavailable' })
    asked.length = 0
    const lying = gateway(() => Response.json({ data: '0xbad0' }))
    const many = Array.from({ length: 16 }, (_, i) => `https://g${i}.example/{data}`)
    expect(await off(many, lying)).toMatchObject({ status: 'unavailable' })
    expect(asked).toHaveLength(16)
    asked.length = 0
    expect((await off([...many, GATEWAY], lying)).status).toBe('reverted')
    expect(asked).toEqual([])
  })

  test('many gateways at once are asked from here (ENSIP-21)', async () => {
    const questions = [
      { sender: ALICE, urls: ['https://a.example/{data}'], data: '0xaa' },
      { sender: BOB, urls: ['http://b.example/{data}'], data: '0xbb' },
    ] as const
    const query = encodeFunctionData({ abi: UR, functionName: 'query', args: [questions] })
    const failure = (message: string): Hex =>
      encodeErrorResult({ abi: UR, errorName: 'HttpError', args: [500, message] })
    const response = encodeAbiParameters(
      [{ type: 'bool[]' }, { type: 'bytes[]' }],
      [
        [false, true],
        [TRUE_RESPONSE, failure('http:: is not an https URL, so it was not requested')],
      ],
    )
    const batched = world([
      {
        to: resolving('off.eth'),
        data: lookup(['x-batch-gateway:true'], query),
        reverts: true,
      },
      { to: calledBack(response), data: found(BOB) },
    ])
    const result = await resolve('off.eth', { ccipRead: honest }, batched)
    expect(proven(result)).toEqual({ address: BOB, gateways: ['https://a.example'] })
    const malformed = world([
      {
        to: resolving('off.eth'),
        data: lookup(['x-batch-gateway:true'], '0xa780bab6ff'),
        reverts: true,
      },
    ])
    const refused = await resolve('off.eth', { ccipRead: honest }, malformed)
    expect(refused).toMatchObject({ error: { code: 'unreachable' } })
  })

  test('an aborted signal ends it', async () => {
    const abort = new AbortController()
    const stopping = gateway(() => {
      queueMicrotask(() => abort.abort(new Error('enough')))
      return new Promise(() => undefined)
    })
    const work = resolve(
      'off.eth',
      { ccipRead: stopping, signal: abort.signal },
      offchain([GATEWAY]),
    )
    await expect(work).rejects.toThrow('enough')
  })
})
