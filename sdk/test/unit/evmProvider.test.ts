/** Calls through an EIP-1193 provider and ethers and viem over it; tokens by their own code. */

import { JsonRpcProvider } from 'ethers'
import { createPublicClient, encodeErrorResult, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  createProvider,
  type ProviderAnswer,
  type ProviderOptions,
  ProviderRpcError,
} from '../../src/entry/eip1193.js'
import { LightproofProvider } from '../../src/entry/ethers.js'
import {
  evm,
  getErc20Allowance,
  getErc20Balance,
  getErc20Balances,
  getErc721Owner,
  getErc1155Balance,
} from '../../src/entry/evm.js'
import { proven } from '../../src/entry/node.js'
import { lightproof, multicall, readContract } from '../../src/entry/viem.js'
import {
  ALICE,
  address,
  BOB,
  balanceOf,
  chain,
  methods,
  PROXY,
  slotOf,
  TOKEN,
  word,
} from '../support/callWorld.js'
import { ASKING, clientOf } from '../support/client.js'
import { code } from '../support/contracts.js'
import type { Methods } from '../support/rpc.js'

const clientWith = (overrides: Methods = {}) =>
  clientOf(chain, [{ ...methods, ...overrides }], ASKING).client

const providerOf = (overrides: Methods = {}, options: ProviderOptions = {}) =>
  createProvider(clientWith(overrides), { extensions: [evm()], ...options })

const readProxy = { to: PROXY, data: balanceOf(ALICE) }

/** What the request was refused with. */
async function refusal(work: Promise<unknown>): Promise<ProviderRpcError> {
  const error = await work.catch((thrown: unknown) => thrown)
  if (error instanceof ProviderRpcError) return error
  throw new Error(`passed: ${JSON.stringify(error)}`)
}

describe('a provider with calls', () => {
  test('answers them with proof, at every block', async () => {
    const answers: ProviderAnswer[] = []
    const provider = providerOf({}, { onAnswer: (answer) => void answers.push(answer) })
    const ask = (...params: unknown[]) => provider.request({ method: 'eth_call', params })
    expect(await ask(readProxy, 'latest')).toBe(word(99n))
    expect(await ask({ to: PROXY, input: balanceOf(ALICE) })).toBe(word(99n))
    expect(await ask(readProxy, '0x0')).toBe('0x')
    expect(await ask(readProxy, { blockHash: chain.at(1).hash })).toBe(word(99n))
    expect(await ask({ ...readProxy, gas: '0xffffffffff', value: null }, 'latest')).toBe(word(99n))
    expect(answers.every(({ proven, trust }) => proven && trust?.system === 'mpt')).toBe(true)
  })

  test('overrides, as geth takes them', async () => {
    const state = { [PROXY]: { stateDiff: { [slotOf(ALICE)]: word(5n) }, balance: '0x7' } }
    const params = [readProxy, 'latest', state, { number: '0x9', time: '0x1' }]
    expect(await providerOf().request({ method: 'eth_call', params })).toBe(word(5n))
  })

  test('gas and access lists', async () => {
    const provider = providerOf()
    const gas = await provider.request({ method: 'eth_estimateGas', params: [{ to: BOB }] })
    expect(gas).toBe('0x5208')
    const list = await provider.request({
      method: 'eth_createAccessList',
      params: [{ ...readProxy, from: ALICE }],
    })
    const slots = [word(0n), slotOf(ALICE)].sort()
    expect(list).toMatchObject({
      accessList: [
        { address: TOKEN, storageKeys: [] },
        { address: PROXY, storageKeys: slots },
      ],
      gasUsed: expect.stringMatching(/^0x[1-9a-f]/),
    })
    const failed = await provider.request({
      method: 'eth_createAccessList',
      params: [{ to: address(0x2002) }],
    })
    expect(failed).toMatchObject({ accessList: [], error: expect.stringContaining('overflow') })
  })

  test('a revert is code 3 with its data, other failures -32000; no word of a node is taken for them', async () => {
    const told: ProviderAnswer[] = []
    const verify = { eth_call: 'prefer', eth_estimateGas: 'require' } as const
    const node = { eth_call: () => '0xbad' }
    const provider = providerOf(node, { verify, onAnswer: (answer) => void told.push(answer) })
    const reverting = { to: address(0x2002) }
    for (const method of ['eth_call', 'eth_estimateGas']) {
      const error = await refusal(provider.request({ method, params: [reverting] }))
      expect(error).toMatchObject({ code: 3, data: expect.stringMatching(/^0x4e487b71/) })
      expect(error.message).toMatch(/^execution reverted: arithmetic/)
    }
    const halted = await refusal(
      provider.request({ method: 'eth_call', params: [{ to: address(0x2001) }] }),
    )
    expect(halted.code).toBe(-32000)
    const poor = { from: BOB, to: ALICE, value: '0x5' }
    expect(await refusal(provider.request({ method: 'eth_call', params: [poor] }))).toMatchObject({
      code: -32000,
    })
    expect(told).toEqual([])
  })

  test('with prefer, a node is believed where state is withheld, and never where it lies', async () => {
    const verify = { eth_call: 'prefer' } as const
    const told: ProviderAnswer[] = []
    const onAnswer = (answer: ProviderAnswer): void => void told.push(answer)
    const node = { eth_call: () => '0x01', eth_getProof: () => null }
    const mute = providerOf(node, { verify, onAnswer })
    expect(await mute.request({ method: 'eth_call', params: [readProxy] })).toBe('0x01')
    expect(told).toMatchObject([{ proven: false }])
    const liar = providerOf(
      { eth_call: () => '0x01', eth_getCode: () => '0x00' },
      { verify, onAnswer },
    )
    const error = await refusal(liar.request({ method: 'eth_call', params: [readProxy] }))
    expect(error).toMatchObject({ code: -32070, data: { code: 'verify.code' } })
  })

  test('without it, calls stay refused', async () => {
    const plain = createProvider(clientWith())
    const error = await refusal(plain.request({ method: 'eth_call', params: [readProxy] }))
    expect(error.code).toBe(4200)
  })

  test.each([
    [['0x'], -32602],
    [[{ to: '0x1' }], -32602],
    [[{ to: BOB, value: 5 }], -32602],
    [[{ to: BOB }, 'latest', []], -32602],
    [[{ to: BOB }, 'latest', {}, { difficulty: '0x1' }], -32602],
    [[{ to: BOB, authorizationList: [] }], 4200],
    [[{ to: BOB }, 'pending'], 4200],
  ])('%j is refused', async (params, code) => {
    const error = await refusal(providerOf().request({ method: 'eth_call', params }))
    expect(error.code).toBe(code)
  })

  test('viem reads contracts over it', async () => {
    const transport = lightproof(clientWith(), { extensions: [evm()] })
    const viem = createPublicClient({ transport })
    const abi = parseAbi(['function balanceOf(address) view returns (uint256)'])
    const read = { address: PROXY, abi, functionName: 'balanceOf', args: [ALICE] } as const
    expect(await viem.readContract(read)).toBe(99n)
    const panics = { ...read, address: address(0x2002) }
    await expect(viem.readContract(panics)).rejects.toThrow(/overflow/i)
    expect(await viem.estimateGas({ account: ALICE, to: BOB, value: 1n })).toBe(21_000n)
  })

  test('ethers reads contracts over it', async () => {
    const provider = new LightproofProvider(clientWith(), { extensions: [evm()] })
    expect(provider).not.toBeInstanceOf(JsonRpcProvider)
    expect(await provider.call(readProxy)).toBe(word(99n))
    await expect(provider.call({ to: address(0x2002) })).rejects.toMatchObject({
      code: 'CALL_EXCEPTION',
    })
    provider.destroy()
  })
})

describe('tokens, by their own code', () => {
  test('a balance, an allowance, an owner', async () => {
    const client = clientWith()
    expect(proven(await getErc20Balance(client, { token: PROXY, owner: ALICE }))).toBe(99n)
    expect(proven(await getErc20Balance(client, { token: PROXY, owner: BOB }))).toBe(0n)
    // The token answers every question with what the first argument holds.
    const allowance = { token: TOKEN, owner: ALICE, spender: BOB }
    expect(proven(await getErc20Allowance(client, allowance))).toBe(77n)
    const owned = { token: TOKEN, tokenId: BigInt(ALICE) }
    expect(proven(await getErc721Owner(client, owned))).toBe(address(77))
    const kind = { token: TOKEN, owner: ALICE, tokenId: 5n }
    expect(proven(await getErc1155Balance(client, kind))).toBe(77n)
  })

  test('many balances at one block', async () => {
    const tokens = [TOKEN, PROXY, BOB, address(0x2002)]
    const outcomes = proven(await getErc20Balances(clientWith(), { tokens, owner: ALICE }))
    expect(outcomes).toMatchObject([
      { status: 'success', value: 77n },
      { status: 'success', value: 99n },
      { status: 'reverted', error: { reason: expect.stringContaining('no such token') } },
      { status: 'reverted', error: { code: 'call.reverted' } },
    ])
  })

  test('no balance where there is no token; a lie is no balance', async () => {
    const none = await getErc20Balance(clientWith(), { token: BOB, owner: ALICE })
    expect(none).toMatchObject({ status: 'reverted' })
    const liar = clientWith({ eth_getCode: () => '0x00' })
    const result = await getErc20Balance(liar, { token: TOKEN, owner: ALICE })
    expect(result).toMatchObject({ status: 'invalid', error: { code: 'verify.code' } })
  })

  test.each([
    [getErc20Balance, { token: TOKEN }, 'owner'],
    [getErc20Balance, { token: '0x', owner: ALICE }, 'token'],
    [getErc20Balances, { tokens: TOKEN, owner: ALICE }, 'tokens'],
    [getErc20Balances, { tokens: [TOKEN, '0x'], owner: ALICE }, 'tokens[1]'],
    [getErc20Allowance, { token: TOKEN, owner: ALICE }, 'spender'],
    [getErc721Owner, { token: TOKEN, tokenId: -1n }, 'tokenId'],
    [getErc1155Balance, { token: TOKEN, owner: ALICE, tokenId: 1 }, 'tokenId'],
    [getErc1155Balance, { token: TOKEN, tokenId: 1n }, 'owner'],
  ] as const)('input: %o %o', async (action, parameters, argument) => {
    const work = (action as (client: unknown, given: unknown) => Promise<unknown>)(
      clientWith(),
      parameters,
    )
    await expect(work).rejects.toMatchObject({ argument })
  })
})

describe("contracts in viem's shape", () => {
  const abi = parseAbi([
    'function balanceOf(address) view returns (uint256)',
    'function pair() view returns (uint256, uint256)',
    'error Poor(uint256 has, uint256 needs)',
  ])
  const read = { address: PROXY, abi, functionName: 'balanceOf', args: [ALICE] } as const

  test('a value of the type that the ABI names', async () => {
    const value: bigint = proven(await readContract(clientWith(), read))
    expect(value).toBe(99n)
    const result = await readContract(clientWith(), { ...read, at: 0 })
    expect(result).toMatchObject({
      status: 'reverted',
      error: { reason: expect.stringContaining('no such contract') },
    })
  })

  test("the ABI's own errors by their names", async () => {
    const data = encodeErrorResult({ abi, errorName: 'Poor', args: [1n, 2n] })
    const words = data.slice(2).match(/.{1,64}/g) ?? []
    const stored = words.flatMap((part, i) => [
      `0x${part.padEnd(64, '0')}` as const,
      32 * i,
      'mstore' as const,
    ])
    const reverting = { [PROXY]: { code: code(...stored, 68, 0, 'revert') } }
    const result = await readContract(clientWith(), { ...read, stateOverride: reverting })
    expect(result).toMatchObject({ status: 'reverted', error: { data, reason: 'Poor(1, 2)' } })
  })

  test('many at one block', async () => {
    const contracts = [
      read,
      { ...read, args: [BOB] },
      { ...read, address: address(0x2002) },
      { address: TOKEN, abi, functionName: 'pair' },
    ] as const
    const [first, second, third, fourth] = proven(await multicall(clientWith(), { contracts }))
    expect([first, second]).toEqual([
      { status: 'success', value: 99n },
      { status: 'success', value: 0n },
    ])
    expect(third).toMatchObject({
      status: 'reverted',
      error: { reason: expect.stringContaining('overflow') },
    })
    expect(fourth).toMatchObject({ status: 'reverted' })
  })

  test('a lie is no value', async () => {
    const liar = clientWith({ eth_getCode: () => '0x00' })
    expect(await readContract(liar, read)).toMatchObject({ status: 'invalid' })
    expect(await multicall(liar, { contracts: [read] })).toMatchObject({ status: 'invalid' })
  })

  test('input', async () => {
    const client = clientWith()
    const wrong = { ...read, address: 7 } as never
    await expect(readContract(client, wrong)).rejects.toMatchObject({ argument: 'parameters' })
    const none = { contracts: [7] } as never
    await expect(multicall(client, none)).rejects.toMatchObject({ argument: 'contracts[0]' })
    await expect(readContract(client, { ...read, args: [] } as never)).rejects.toThrow(/ABI/)
  })
})
