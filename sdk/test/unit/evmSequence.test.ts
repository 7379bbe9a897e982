/** Calls one after another, and `eth_simulateV1` of one block. */

import { getCreateAddress } from 'ethers'
import { createPublicClient, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Hex } from '../../src/encoding/hex.js'
import { createProvider, ProviderRpcError } from '../../src/entry/eip1193.js'
import { evm, simulateCalls } from '../../src/entry/evm.js'
import { proven } from '../../src/entry/node.js'
import { lightproof } from '../../src/entry/viem.js'
import {
  ALICE,
  address,
  BOB,
  balanceOf,
  FORKS,
  PROXY,
  slotOf,
  state,
  TOKEN,
  word,
} from '../support/callWorld.js'
import { ASKING, clientOf } from '../support/client.js'
import { code, MOVING_TOKEN_CODE, RETURN_WORD } from '../support/contracts.js'
import type { Methods } from '../support/rpc.js'
import { stateChain } from '../support/state.js'

const CONTEXT = address(0x3001)
const { chain, methods } = stateChain(
  [
    {},
    {
      ...state,
      [TOKEN]: { nonce: 1n, code: MOVING_TOKEN_CODE, slots: { [slotOf(ALICE)]: 77n } },
      [CONTEXT]: { nonce: 1n, code: code('number', ...RETURN_WORD) },
    },
  ],
  FORKS,
)
const ask = (overrides: Methods = {}) => clientOf(chain, [{ ...methods, ...overrides }], ASKING)
const transfer = (to: Hex, amount: bigint): Hex =>
  `0xa9059cbb${word(BigInt(to)).slice(2)}${word(amount).slice(2)}`
const move = (from: Hex, to: Hex, amount: bigint) => ({
  from,
  to: TOKEN,
  data: transfer(to, amount),
})

describe('calls one after another', () => {
  test('each on what those before it left', async () => {
    const list = [
      move(BOB, ALICE, 5n),
      move(ALICE, BOB, 7n),
      move(BOB, ALICE, 5n),
      { to: TOKEN, data: balanceOf(BOB) },
    ]
    const outcomes = proven(await simulateCalls(ask().client, { calls: list }))
    const [refused, first, second, last] = outcomes
    expect(refused).toMatchObject({ status: 'reverted', error: { code: 'call.reverted' } })
    expect(first).toMatchObject({ status: 'success', value: { transfers: [{ amount: 7n }] } })
    const slots = expect.arrayContaining([
      { slot: slotOf(ALICE), value: 75n },
      { slot: slotOf(BOB), value: 2n },
    ])
    // Its own failed call raised the nonce before.
    const changes = [{ nonce: { before: 1n, after: 2n }, slots: [] }, { slots }]
    expect(second).toMatchObject({ status: 'success', value: { changes } })
    expect(last).toMatchObject({ status: 'success', value: { output: word(2n) } })
  })

  test('payments: who is paid can pay then, and one that the rules refuse leaves nothing', async () => {
    const list = [
      { from: BOB, to: PROXY, value: 9n },
      { from: ALICE, to: BOB, value: 9n },
      { from: BOB, to: address(0xbeef), value: 10n },
    ]
    const outcomes = proven(await simulateCalls(ask().client, { calls: list }))
    expect(outcomes[0]).toMatchObject({ status: 'reverted', error: { code: 'call.refused' } })
    const balance = { before: 10n, after: 0n }
    expect(outcomes[2]).toMatchObject({
      status: 'success',
      value: { changes: expect.arrayContaining([expect.objectContaining({ balance })]) },
    })
  })

  test('a contract that the first creates answers the second', async () => {
    // Copies itself from behind these twelve bytes: a contract that returns 7.
    const runtime = code(7, ...RETURN_WORD)
    const size = runtime.length / 2 - 1
    const data = `${code(size, 12, 0, 'codecopy', size, 0, 'return')}${runtime.slice(2)}` as Hex
    const { client } = ask()
    const [made] = proven(await simulateCalls(client, { calls: [{ from: ALICE, data }] }))
    if (made?.status !== 'success') throw made
    const to = made.value.created ?? '0x'
    const list = [{ from: ALICE, data }, { to }]
    const [, answer] = proven(await simulateCalls(client, { calls: list }))
    expect(answer).toMatchObject({ status: 'success', value: { output: word(7n) } })
    // A call that pays nothing raises its sender's nonce all the same.
    const [, later] = proven(
      await simulateCalls(client, {
        calls: [
          { from: ALICE, to: TOKEN },
          { from: ALICE, data },
        ],
      }),
    )
    if (later?.status !== 'success') throw later
    const nonce = later.value.changes.find((change) => change.address === ALICE)?.nonce.before ?? 0n
    expect(to).toBe(getCreateAddress({ from: ALICE, nonce: nonce - 1n }).toLowerCase())
    expect(later.value.created).toBe(getCreateAddress({ from: ALICE, nonce }).toLowerCase())
  })

  test('one answer at a time is left out: never another outcome', async () => {
    const list = [move(ALICE, BOB, 7n), { to: TOKEN, data: balanceOf(BOB) }, { to: PROXY }]
    let [count, without] = [0, -1]
    const wrap =
      (method: string) =>
      (...params: never[]): unknown =>
        count++ === without ? null : methods[method]?.(...params)
    const lying = { eth_getProof: wrap('eth_getProof'), eth_getCode: wrap('eth_getCode') }
    const outputs = async (): Promise<unknown> => {
      count = 0
      const result = await simulateCalls(ask(lying).client, { calls: list })
      if (result.status !== 'proven') return result.status
      return result.value.map((one) => (one.status === 'success' ? one.value.output : one.status))
    }
    const right = await outputs()
    expect(right).toMatchObject([word(1n), word(7n), expect.anything()])
    for (const total = count; without < total - 1; ) {
      without++
      const got = await outputs()
      if (typeof got !== 'string') expect(got).toEqual(right)
      else expect(got).toMatch(/^(invalid|unavailable)$/)
    }
  })
})

describe('eth_simulateV1', () => {
  const simulate = (block: unknown, rest: object = {}, ...more: unknown[]) =>
    createProvider(ask().client, { extensions: [evm()] }).request({
      method: 'eth_simulateV1',
      params: [{ blockStateCalls: [block], ...rest }, ...more],
    })

  test('one block on top: what is known of it, call by call', async () => {
    const calls = [move(ALICE, BOB, 7n), move(BOB, ALICE, 8n), { to: CONTEXT }]
    const result = await simulate({ calls }, { validation: false }, 'latest')
    expect(result).toMatchObject([
      {
        number: '0x2',
        parentHash: chain.head.hash,
        calls: [
          {
            status: '0x1',
            returnData: word(1n),
            logs: [{ address: TOKEN, logIndex: '0x0', transactionIndex: '0x0', removed: false }],
          },
          { status: '0x0', logs: [], error: { code: 3, data: expect.stringMatching(/^0x4e48/) } },
          { status: '0x1', returnData: word(2n) },
        ],
      },
    ])
    const [block] = result as readonly Record<string, unknown>[]
    for (const unknown of ['hash', 'stateRoot', 'receiptsRoot', 'transactions', 'logsBloom']) {
      expect(block).not.toHaveProperty(unknown)
    }
  })

  test('overrides of state and block', async () => {
    const block = {
      blockOverrides: { number: '0x2', time: '0x7fffffff', feeRecipient: BOB },
      stateOverrides: { [CONTEXT]: { code: code('timestamp', ...RETURN_WORD) } },
      calls: [{ to: CONTEXT }],
    }
    expect(await simulate(block)).toMatchObject([
      { timestamp: '0x7fffffff', miner: BOB, calls: [{ returnData: word(0x7fffffffn) }] },
    ])
  })

  test.each([
    ['two blocks', { blockStateCalls: [{}, {}] }, 4200],
    ['validation', { blockStateCalls: [{ calls: [] }], validation: true }, 4200],
    ['payments as logs', { blockStateCalls: [{ calls: [] }], traceTransfers: true }, 4200],
    ['whole transactions', { blockStateCalls: [{}], returnFullTransactions: true }, 4200],
    ['no blocks', {}, -32602],
    ['no calls', { blockStateCalls: [{ calls: [] }] }, -32602],
    ['a gap', { blockStateCalls: [{ blockOverrides: { number: '0x9' } }] }, 4200],
    ['a block below', { blockStateCalls: [{ blockOverrides: { number: '0x1' } }] }, -38020],
    ['a time before', { blockStateCalls: [{ blockOverrides: { time: '0x1' } }] }, -38021],
    [
      'what the rules refuse',
      { blockStateCalls: [{ calls: [{ from: BOB, to: ALICE, value: '0x9' }] }] },
      -32000,
    ],
    [
      'more gas than a block has',
      {
        blockStateCalls: [
          { blockOverrides: { gasLimit: '0xffff' }, calls: [{ to: BOB, gas: '0x10000' }] },
        ],
      },
      -38015,
    ],
  ])('%s: refused with a code', async (_, options, code) => {
    const provider = createProvider(ask().client, { extensions: [evm()] })
    const work = provider.request({ method: 'eth_simulateV1', params: [options] })
    const error = await work.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ProviderRpcError)
    expect(error).toMatchObject({ code })
  })

  test('viem simulates calls over it', async () => {
    const viem = createPublicClient({
      transport: lightproof(ask().client, { extensions: [evm()] }),
    })
    const abi = parseAbi(['function balanceOf(address) view returns (uint256)'])
    const [block] = await viem.simulateBlocks({
      blocks: [
        {
          calls: [
            { account: ALICE, to: TOKEN, data: transfer(BOB, 7n) },
            { to: TOKEN, abi, functionName: 'balanceOf', args: [BOB] },
          ],
        },
      ],
    })
    expect(block?.calls).toMatchObject([{ status: 'success' }, { status: 'success', result: 7n }])
  })
})
