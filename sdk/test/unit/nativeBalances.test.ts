/**
 * Native balances that viem and wagmi read through Multicall3: proven by accounts, or refused;
 * never a node's word.
 */

import {
  createPublicClient,
  decodeFunctionResult,
  encodeFunctionData,
  encodeFunctionResult,
  erc20Abi,
  multicall3Abi,
  toHex,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { createProvider, type ProviderAnswer, type VerifyOption } from '../../src/entry/eip1193.js'
import { evm } from '../../src/entry/evm.js'
import { lightproof } from '../../src/entry/viem.js'
import { clientOf } from '../support/client.js'
import { stateChain, type TestState } from '../support/state.js'

const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11'
/** As on every chain that has it: https://github.com/mds1/multicall3 */
const CODE_HASH = '0xd5c15df687b16f2ff992fc8d767b4216323184a2bbc6ee2f9c398c318e770891'
const RICH = `0x${'11'.repeat(20)}` as const
const POOR = `0x${'22'.repeat(20)}` as const
const NOBODY = `0x${'33'.repeat(20)}` as const
const TOKEN = `0x${'44'.repeat(20)}` as const
const RICH_WEI = 7n * 10n ** 18n
const HUGE = 10n ** 30n

const accounts: TestState = {
  [RICH]: { balance: RICH_WEI },
  [POOR]: { balance: 5n, nonce: 1n },
  [TOKEN]: { nonce: 1n, codeHash: `0x${'99'.repeat(32)}` },
}
const { chain, methods } = stateChain([
  accounts,
  { ...accounts, [MULTICALL3]: { nonce: 1n, codeHash: CODE_HASH } },
])

/** A node that proves honestly and lies about calls alone: each balance is 10^30. */
const callLiar = {
  ...methods,
  eth_call: ({ data }: { data: `0x${string}` }) => {
    const isAggregate = data.startsWith('0x82ad56cb')
    if (!isAggregate) return toHex(HUGE, { size: 32 })
    const count = Number(BigInt(`0x${data.slice(74, 138)}`))
    const word = (value: bigint | number): string => toHex(value, { size: 32 }).slice(2)
    const places = Array.from({ length: count }, (_, i) => word(count * 32 + i * 128))
    const results = places.map(() => [1, 64, 32, HUGE].map(word).join(''))
    return `0x${[word(32), word(count), ...places, ...results].join('')}`
  },
}

const viemOf = (verify: VerifyOption, answers: ProviderAnswer[] = [], multicall = true) => {
  const { client, calls } = clientOf(chain, [callLiar])
  const onAnswer = (answer: ProviderAnswer): void => void answers.push(answer)
  const contracts = { multicall3: { address: MULTICALL3 } } as const
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const rpcUrls = { default: { http: [] } }
  const viem = createPublicClient({
    chain: { id: 1337, name: 'test', nativeCurrency, rpcUrls, contracts },
    transport: lightproof(client, { verify, onAnswer }),
    batch: { multicall },
  })
  return { viem, calls, answers }
}

const balanceCall = (address: `0x${string}`) =>
  encodeFunctionData({ abi: multicall3Abi, functionName: 'getEthBalance', args: [address] })
const tokenCall = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [RICH] })
const aggregate = (calls: readonly (readonly [target: `0x${string}`, callData: `0x${string}`])[]) =>
  encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls.map(([target, callData]) => ({ target, allowFailure: true, callData }))],
  })

const besideToken = aggregate([
  [MULTICALL3, balanceCall(RICH)],
  [TOKEN, tokenCall],
])

describe('viem with batch: { multicall: true }', () => {
  test.each<VerifyOption>(['require', { eth_call: 'off' }, { eth_call: 'prefer' }])(
    'behavior: one balance is proven with verify %j',
    async (verify) => {
      const { viem, calls, answers } = viemOf(verify)
      expect(await viem.getBalance({ address: RICH })).toBe(RICH_WEI)
      expect(calls).not.toContain('eth_call')
      expect(answers).toMatchObject([
        { method: 'eth_call', proven: true, trust: { proved: ['header', 'account', 'balance'] } },
      ])
    },
  )

  test('behavior: balances asked for at once are one aggregate3, and proven', async () => {
    const { viem, calls, answers } = viemOf({ eth_call: 'off' })
    const owners = [RICH, POOR, NOBODY, RICH] as const
    const balances = await Promise.all(owners.map((address) => viem.getBalance({ address })))
    expect(balances).toEqual([RICH_WEI, 5n, 0n, RICH_WEI])
    expect(answers).toHaveLength(1)
    expect(calls).not.toContain('eth_call')
  })

  test.each<[VerifyOption, boolean]>([
    [{ eth_call: 'off' }, false],
    [{ eth_call: 'prefer' }, true],
  ])(
    'behavior: beside a token, with %j, balances are proven and the token is a node’s word',
    async (verify, hasReason) => {
      const answers: ProviderAnswer[] = []
      const { viem, calls } = viemOf(verify, answers)
      const abi = erc20Abi
      const token = { address: TOKEN, abi, functionName: 'balanceOf', args: [RICH] } as const
      const found = await Promise.all([
        viem.getBalance({ address: RICH }),
        viem.readContract(token),
        viem.getBalance({ address: POOR }),
        viem.getBalance({ address: NOBODY }),
      ])
      expect(found).toEqual([RICH_WEI, HUGE, 5n, 0n])
      expect(calls.filter((method) => method === 'eth_call')).toHaveLength(1)
      // All of it is as good as its weakest part.
      expect(answers).toMatchObject([{ method: 'eth_call', proven: false, trust: undefined }])
      expect(answers[0]?.reason !== undefined).toBe(hasReason)
    },
  )

  test('error: beside a token, with verify "require", all of it is refused', async () => {
    const { viem, calls } = viemOf('require')
    const abi = erc20Abi
    const token = viem.readContract({
      address: TOKEN,
      abi,
      functionName: 'balanceOf',
      args: [RICH],
    })
    for (const answer of await Promise.allSettled([viem.getBalance({ address: RICH }), token])) {
      expect(answer.status === 'rejected' && String(answer.reason)).toContain(
        'batch: { multicall: false }',
      )
      expect(String((answer as PromiseRejectedResult).reason)).not.toMatch(/'off'|verify:/)
    }
    expect(calls).not.toContain('eth_call')
  })

  test('behavior: without multicall it is eth_getBalance, and a token is a node’s word if allowed', async () => {
    const { viem } = viemOf({ eth_call: 'off' }, [], false)
    const abi = erc20Abi
    const [native, token] = await Promise.all([
      viem.getBalance({ address: RICH }),
      viem.readContract({ address: TOKEN, abi, functionName: 'balanceOf', args: [RICH] }),
    ])
    expect([native, token]).toEqual([RICH_WEI, HUGE])
  })

  test('error: a block before Multicall3 was deployed', async () => {
    const { viem } = viemOf({ eth_call: 'off' })
    await expect(viem.getBalance({ address: RICH, blockNumber: 0n })).rejects.toThrow(
      'batch: { multicall: false }',
    )
  })

  test('invalid: a lie about an account of an aggregate3', async () => {
    const lying = {
      ...callLiar,
      eth_getProof: (...params: never[]) => {
        const [address] = params as readonly unknown[]
        const proof = methods['eth_getProof']?.(...params)
        return address === POOR ? { ...(proof as object), balance: '0xff' } : proof
      },
    }
    const { client } = clientOf(chain, [lying])
    const provider = createProvider(client, { verify: { eth_call: 'off' } })
    const data = aggregate([RICH, POOR].map((owner) => [MULTICALL3, balanceCall(owner)] as const))
    const params = [{ to: MULTICALL3, data }, 'latest']
    await expect(provider.request({ method: 'eth_call', params })).rejects.toMatchObject({
      code: -32070,
      data: { code: 'verify.claim' },
    })
  })
})

describe('calls that are not only balances', () => {
  const alone = { to: MULTICALL3, data: balanceCall(RICH) }
  const nested = aggregate([[MULTICALL3, aggregate([[MULTICALL3, balanceCall(RICH)]])]])
  const elsewhere = aggregate([[TOKEN, balanceCall(RICH)]])
  const many = aggregate(
    Array.from({ length: 257 }, () => [MULTICALL3, balanceCall(RICH)] as const),
  )

  test.each<[string, readonly unknown[]]>([
    ['with a value', [{ ...alone, value: '0x1' }, 'latest']],
    ['with a price', [{ ...alone, from: RICH, gasPrice: '0x1' }, 'latest']],
    ['over a changed state', [alone, 'latest', { [RICH]: { balance: '0x1' } }]],
    ['in a changed block', [alone, 'latest', {}, { number: '0x1' }]],
    ['of two calldatas', [{ ...alone, input: balanceCall(POOR) }, 'latest']],
    ['to nobody', [{ data: balanceCall(RICH) }, 'latest']],
    ['of code that is not Multicall3', [{ to: TOKEN, data: balanceCall(RICH) }, 'latest']],
    [
      'beside a nested one',
      [
        {
          to: MULTICALL3,
          data: aggregate([
            [MULTICALL3, balanceCall(RICH)],
            [MULTICALL3, aggregate([[MULTICALL3, balanceCall(POOR)]])],
          ]),
        },
        'latest',
      ],
    ],
    [
      'beside a token, with a state of the caller’s',
      [{ to: MULTICALL3, data: besideToken }, 'latest', { [RICH]: { balance: '0x1' } }],
    ],
    [
      'beside a token, at a price',
      [{ to: MULTICALL3, data: besideToken, gasPrice: '0x1' }, 'latest'],
    ],
    ['beside a token, of another contract', [{ to: TOKEN, data: besideToken }, 'latest']],
    ['of another contract', [{ to: MULTICALL3, data: elsewhere }, 'latest']],
    ['nested', [{ to: MULTICALL3, data: nested }, 'latest']],
    ['too many', [{ to: MULTICALL3, data: many }, 'latest']],
    [
      'with a word too much',
      [
        {
          to: MULTICALL3,
          data: `${aggregate([[MULTICALL3, balanceCall(RICH)]])}${'00'.repeat(32)}`,
        },
        'latest',
      ],
    ],
    [
      'in capitals',
      [
        {
          to: MULTICALL3.toUpperCase().replace('0X', '0x'),
          data: nested.toUpperCase().replace('0X', '0x'),
        },
        'latest',
      ],
    ],
  ])('error: a balance %s is refused, whatever the policy', async (_, params) => {
    const { client, calls } = clientOf(chain, [callLiar])
    const provider = createProvider(client, { verify: { eth_call: 'off' } })
    const work = provider.request({ method: 'eth_call', params })
    await expect(work).rejects.toMatchObject({ code: 4200, data: { code: 'unprovable' } })
    await expect(work).rejects.toThrow('batch: { multicall: false }')
    expect(calls).not.toContain('eth_call')
  })

  test("behavior: with evm() they are run here, never a node's word, whatever the policy of calls", async () => {
    const { client, calls } = clientOf(chain, [callLiar])
    const options = { verify: { eth_call: 'off' }, extensions: [evm()] } as const
    const provider = createProvider(client, options)
    const tokens = aggregate([
      [MULTICALL3, balanceCall(RICH)],
      [TOKEN, tokenCall],
    ])
    for (const data of [tokens, nested, elsewhere, many, alone.data]) {
      const work = provider.request({ method: 'eth_call', params: [{ to: MULTICALL3, data }] })
      // The chain of this test has no code to run.
      await expect(work).rejects.toMatchObject({ code: expect.any(Number) })
    }
    expect(calls).not.toContain('eth_call')
  })

  test('behavior: an empty aggregate3, and one of tokens, are none of balances', async () => {
    const { client, calls } = clientOf(chain, [callLiar])
    const provider = createProvider(client, { verify: { eth_call: 'off' } })
    for (const data of [aggregate([]), aggregate([[TOKEN, tokenCall]])]) {
      await provider.request({ method: 'eth_call', params: [{ to: MULTICALL3, data }, 'latest'] })
    }
    expect(calls.filter((method) => method === 'eth_call')).toHaveLength(2)
  })

  test('behavior: who switched proofs of balances off gets a node’s word', async () => {
    const { client } = clientOf(chain, [callLiar])
    const verify = { eth_call: 'off', eth_getBalance: 'off' } as const
    const provider = createProvider(client, { verify })
    const answer = await provider.request({ method: 'eth_call', params: [alone, 'latest'] })
    expect(answer).toBe(toHex(HUGE, { size: 32 }))
  })
})

test.each([
  ['nothing', '0x'],
  ['no hex', 7],
  ['one result more', aggregateResults(2)],
  ['none', aggregateResults(0)],
  ['a place beyond the end', `0x${'ff'.repeat(96)}`],
])('error: beside a token, a node answers with %s', async (_, answer) => {
  const { client } = clientOf(chain, [{ ...callLiar, eth_call: () => answer }])
  const provider = createProvider(client, { verify: { eth_call: 'off' } })
  const params = [{ to: MULTICALL3, data: besideToken }, 'latest']
  const work = provider.request({ method: 'eth_call', params })
  await expect(work).rejects.toMatchObject({ code: -32071 })
})

test('behavior: beside a token, the node is asked at the block of the proofs, and not for balances', async () => {
  const asked: unknown[] = []
  const eth_call = (...params: never[]) => {
    asked.push(...params)
    return aggregateResults(1)
  }
  const { client } = clientOf(chain, [{ ...callLiar, eth_call }])
  const provider = createProvider(client, { verify: { eth_call: 'off' } })
  const params = [{ to: MULTICALL3, data: besideToken }, 'latest']
  const result = await provider.request({ method: 'eth_call', params })
  expect(asked).toEqual([{ to: MULTICALL3, data: aggregate([[TOKEN, tokenCall]]) }, '0x1'])
  const results = decodeFunctionResult({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    data: result,
  })
  expect(results).toEqual([
    { success: true, returnData: toHex(RICH_WEI, { size: 32 }) },
    { success: false, returnData: '0xabcd' },
  ])
})

/** As many calls that failed with two bytes. */
function aggregateResults(count: number) {
  const result = Array.from(
    { length: count },
    () => ({ success: false, returnData: '0xabcd' }) as const,
  )
  return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result })
}
