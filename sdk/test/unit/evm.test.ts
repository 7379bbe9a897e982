/** Calls over proven state, from honest and lying nodes. */

import { describe, expect, test, vi } from 'vitest'
import type { Hex } from '../../src/encoding/hex.js'
import {
  CallError,
  type CallProgress,
  type CallResult,
  call,
  calls,
  createAccessList,
  estimateGas,
  simulate,
} from '../../src/entry/evm.js'
import { proven } from '../../src/entry/node.js'
import { transfersIn } from '../../src/evm/transfers.js'
import { doJob, employ } from '../../src/proving/engine.js'
import {
  ALICE,
  address,
  BOB,
  balanceOf,
  chain,
  FORKS,
  methods,
  PROXY,
  slotOf,
  state,
  TOKEN,
  word,
} from '../support/callWorld.js'
import { ASKING, clientOf } from '../support/client.js'
import {
  code,
  MOVING_TOKEN_CODE,
  PROXY_CODE,
  RETURN_WORD,
  TOKEN_CODE,
  TRANSFER,
} from '../support/contracts.js'
import { type Methods, ScriptedError } from '../support/rpc.js'
import { stateChain } from '../support/state.js'

const ask = (overrides: Methods = {}, options = {}) =>
  clientOf(chain, [{ ...methods, ...overrides }], { ...ASKING, ...options })

/** The honest answer of a method. */
const honest = (method: string, ...params: unknown[]): unknown =>
  (methods[method] as (...params: unknown[]) => unknown)(...params)

/** What came of it, as far as it must be right: an output, or the code of the error. */
function ending(result: CallResult): string {
  return 'error' in result ? result.error.code : result.value.output
}

const readProxy = { to: PROXY, data: balanceOf(ALICE) }
const RIGHT = word(99n)

describe('a call', () => {
  test('of a token behind a proxy, and what it rests on', async () => {
    const { client, exchanges } = ask()
    const result = await call(client, readProxy)
    if (result.status !== 'success') throw result
    expect(result.value).toMatchObject({ output: RIGHT, logs: [], created: undefined })
    expect(result.value.accessed.accounts).toMatchObject([
      { address: TOKEN, slots: [] },
      { address: PROXY, slots: expect.arrayContaining([word(0n), slotOf(ALICE)]) },
    ])
    expect(result.trust).toMatchObject({
      system: 'mpt',
      servedBy: 'http://n1',
      block: { number: 2n },
      proved: ['header', 'call'],
    })
    // Chain id, block; proxy and its code; its slot; token and its code; the balance.
    expect(exchanges.length).toBeLessThanOrEqual(6)
  })

  test('a hint saves rounds', async () => {
    const { client } = ask({
      eth_createAccessList: () => ({
        accessList: [
          { address: PROXY, storageKeys: [word(0n), slotOf(ALICE)] },
          { address: TOKEN, storageKeys: [] },
        ],
      }),
    })
    const rounds: CallProgress[] = []
    const onProgress = (progress: CallProgress): void => void rounds.push(progress)
    expect(ending(await call(client, { ...readProxy, onProgress }))).toBe(RIGHT)
    expect(rounds.map(({ round }) => round)).toEqual([1, 2])
  })

  test.each([
    ['nonsense', 'no list'],
    ['other accounts', { accessList: [{ address: BOB, storageKeys: [word(7n)] }] }],
    ['too much', { accessList: [{ address: BOB, storageKeys: Array(5000).fill(word(7n)) }] }],
    ['malformed entries', { accessList: [null, { address: '0x1' }, { address: BOB }] }],
  ])('a hint of %s changes nothing', async (_, hint) => {
    const { client } = ask({ eth_createAccessList: () => hint })
    expect(ending(await call(client, readProxy))).toBe(RIGHT)
  })

  /** All nodes and codes that the call reads, as an honest node gives them. */
  const offer = () => {
    type Proof = { accountProof: Hex[]; storageProof: { proof: Hex[] }[] }
    const toHead = { blockHash: chain.head.hash }
    const of = (who: Hex, slots: Hex[]): Hex[] => {
      const proof = honest('eth_getProof', who, slots, toHead) as Proof
      return [...proof.accountProof, ...proof.storageProof.flatMap((slot) => slot.proof)]
    }
    const slots = [word(0n), slotOf(ALICE)]
    return { state: [...of(PROXY, slots), ...of(TOKEN, [])], codes: [PROXY_CODE, TOKEN_CODE] }
  }

  test('a node that gives the witness with the call answers in one round', async () => {
    const { client } = ask({ lp_callProof: offer })
    const rounds: CallProgress[] = []
    const onProgress = (progress: CallProgress): void => void rounds.push(progress)
    expect(ending(await call(client, { ...readProxy, onProgress }))).toBe(RIGHT)
    expect(rounds.map(({ round }) => round)).toEqual([1])
  })

  test.each([
    ['nonsense', () => 'no'],
    ['nothing', () => null],
    ['malformed lists', () => ({ state: [7, '0x1', null, '0x'], codes: {} })],
    ['nodes that are too long', () => ({ state: [`0x${'00'.repeat(601)}`], codes: [] })],
    ['nodes of nothing', () => ({ state: ['0xc0', '0x80', '0xff'], codes: ['0x00'] })],
    ['one node less', () => ({ ...offer(), state: offer().state.slice(1) })],
    ['other codes', () => ({ ...offer(), codes: [TOKEN_CODE] })],
    [
      'the state of another block',
      () => ({
        ...offer(),
        state: (honest('eth_getProof', PROXY, [], '0x0') as never)['accountProof'],
      }),
    ],
  ])('a witness of %s changes nothing', async (_, lp_callProof) => {
    const { client } = ask({ lp_callProof })
    expect(ending(await call(client, readProxy))).toBe(RIGHT)
  })

  test('of an older block', async () => {
    const { client } = ask()
    const at = async (block: number) => ending(await call(client, { ...readProxy, at: block }))
    expect([await at(1), await at(0)]).toEqual([RIGHT, '0x'])
  })

  test('what was proven is kept: the same call again asks nobody', async () => {
    const { client, calls: asked } = ask({}, { cacheBytes: 1_000_000 })
    expect(ending(await call(client, readProxy))).toBe(RIGHT)
    const before = asked.length
    const again = await call(client, readProxy)
    expect([ending(again), asked.length]).toEqual([RIGHT, before])
    expect(again).toMatchObject({ trust: { servedBy: 'cache' } })
    // At another block the codes are fetched no more.
    expect(ending(await call(client, { ...readProxy, at: 1 }))).toBe(RIGHT)
    expect(asked.slice(before)).not.toContain('eth_getCode')
  })

  test('of nothing, that sends value, that creates', async () => {
    const { client } = ask()
    expect(ending(await call(client, { to: BOB }))).toBe('0x')
    expect(ending(await call(client, { from: ALICE, to: BOB, value: 5n }))).toBe('0x')
    const made = await call(client, { from: ALICE, data: '0x60006000f3' })
    expect(made).toMatchObject({
      status: 'success',
      value: { created: expect.stringMatching(/^0x/) },
    })
  })

  test('that the rules refuse, that halts, that reverts with a reason', async () => {
    const { client } = ask()
    const poor = await call(client, { from: BOB, to: ALICE, value: 5n })
    expect(poor).toMatchObject({ status: 'reverted', error: { code: 'call.refused' }, gasUsed: 0n })
    const halted = await call(client, { to: address(0x2001) })
    expect(halted).toMatchObject({ status: 'reverted', error: { code: 'call.halted', data: '0x' } })
    const reverted = await call(client, { to: address(0x2002) })
    expect(reverted).toMatchObject({
      status: 'reverted',
      error: { code: 'call.reverted', reason: 'arithmetic overflow or underflow (0x11)' },
      trust: { proved: ['header', 'call'] },
    })
    expect(() => proven(reverted)).toThrow(CallError)
  })

  test('the caller is warm, read or not, where less gas is left than a cold read costs', async () => {
    // ORIGIN BALANCE, with 1,000 gas; then whether that went well.
    const asks = code(0, 0, 0, 0, 0, PROXY, 1000, 'call', ...RETURN_WORD)
    const stateOverride = { [TOKEN]: { code: asks }, [PROXY]: { code: '0x323150' } }
    const result = await call(ask().client, { from: ALICE, to: TOKEN, stateOverride })
    if (result.status !== 'success') throw result
    expect(result.value.output).toBe(word(1n))
    expect(result.value.accessed.accounts).toContainEqual(
      expect.objectContaining({ address: ALICE }),
    )
  })

  test('hashes of earlier blocks follow from their headers', async () => {
    const { client } = ask()
    for (const [asked, hash] of [
      [1n, chain.at(1).hash],
      [0n, chain.at(0).hash],
      [2n, word(0n)],
    ] as const) {
      const result = await call(client, { to: address(0x2003), data: word(asked) })
      expect(ending(result)).toBe(hash)
    }
  })

  test('limit: a call that reads on and on, and one that reads too much', async () => {
    const { client } = ask()
    const chained = await call(client, { to: address(0x2004), gas: 2n ** 26n })
    expect(ending(chained)).toBe('limit')
    const wide = await call(client, { to: address(0x2005), gas: 2n ** 26n })
    expect(ending(wide)).toBe('limit')
  })

  test('limit: calls that are given too much gas together, and calls that use too much', async () => {
    const { client, calls: asked } = ask()
    const many = (count: number, gas: bigint) =>
      calls(client, { calls: Array.from({ length: count }, () => ({ to: TOKEN, gas })) })
    const given = await many(1_024, 2n ** 24n + 1n)
    expect(given).toMatchObject({ status: 'unavailable', error: { code: 'limit' } })
    expect(asked.some((call) => call.includes('eth_getProof'))).toBe(false)
    // Answers as of runs that took all of their gas; what fits into one job is one.
    const lists: number[] = []
    let gasUsed = '0x4000000'
    employ(async (job, signal) => {
      if (job.kind !== 'calls') return doJob(job)
      expect(signal).toBeDefined()
      const count = lists.length === 0 ? 64 : 1
      lists.push(count)
      const done = { status: 'success', output: '0x', gasUsed, logs: [], created: null }
      const answers = Array.from({ length: count }, () => ({ ...done, read: [], changes: [] }))
      return { value: JSON.stringify({ block: { number: '0x2', rules: 'paris' }, answers }) }
    })
    try {
      expect(await many(64, 2n ** 26n)).toMatchObject({ status: 'proven' })
      lists.length = 0
      expect(await many(65, 2n ** 26n)).toMatchObject({ error: { code: 'limit' } })
      expect(lists).toEqual([64, 1])
      lists.length = 0
      gasUsed = '0x3000000'
      expect(await many(65, 2n ** 26n)).toMatchObject({ status: 'proven' })
    } finally {
      employ()
    }
  })

  test('an aborted signal ends it', async () => {
    const abort = new AbortController()
    const { client } = ask()
    const onProgress = (): void => abort.abort(new Error('enough'))
    await expect(call(client, { ...readProxy, onProgress, signal: abort.signal })).rejects.toThrow(
      'enough',
    )
  })

  test.each([
    [{ to: '0x12' }, 'to'],
    [{ to: TOKEN, data: '0x1' }, 'data'],
    [{ to: TOKEN, gas: 2n ** 26n + 1n }, 'gas'],
    [{ to: TOKEN, value: -1n }, 'value'],
    [{ to: TOKEN, wei: 1n }, 'wei'],
    [{ to: TOKEN, accessList: [{}] }, 'accessList[0]'],
    [{ to: TOKEN, onProgress: 1 }, 'onProgress'],
  ])('input: %o', async (parameters, argument) => {
    await expect(call(ask().client, parameters as never)).rejects.toMatchObject({ argument })
  })

  test('input: a chain of which nobody says what rules it follows; a fork that is unknown', async () => {
    const bare = stateChain([{}, state])
    const { client } = clientOf(bare.chain, [bare.methods], ASKING)
    await expect(call(client, readProxy)).rejects.toMatchObject({ code: 'input.chain' })
    const later = stateChain([{}, state], [...FORKS, { rules: 'later', time: 1 }])
    const ahead = clientOf(later.chain, [later.methods], ASKING)
    expect(ending(await call(ahead.client, readProxy))).toBe('chain.fork')
    const wrong = stateChain([{}, state], [{ rules: 'paris' } as never])
    const malformed = clientOf(wrong.chain, [wrong.methods], ASKING)
    await expect(call(malformed.client, readProxy)).rejects.toMatchObject({ argument: 'forks[0]' })
  })
})

describe('overrides', () => {
  const outcome = async (parameters: object): Promise<string> =>
    ending(await call(ask().client, { ...readProxy, ...parameters }))
  const stateOf = (override: object) => outcome({ stateOverride: { [PROXY]: override } })

  test('of slots, of all storage, of code, of balances', async () => {
    expect(await stateOf({ stateDiff: { [slotOf(ALICE)]: 5n } })).toBe(word(5n))
    expect(await stateOf({ state: { [word(0n)]: word(BigInt(TOKEN)) } })).toBe(word(0n))
    expect(await stateOf({ code: code(7, ...RETURN_WORD) })).toBe(word(7n))
    const rich = { stateOverride: { [BOB]: { balance: 9n } } }
    expect(ending(await call(ask().client, { from: BOB, to: ALICE, value: 9n, ...rich }))).toBe(
      '0x',
    )
  })

  test('of the block', async () => {
    const now = { [PROXY]: { code: code('timestamp', ...RETURN_WORD) } }
    const time = { stateOverride: now, blockOverride: { time: 12_345n } }
    expect(await outcome(time)).toBe(word(12_345n))
    const number = { [PROXY]: { code: code('number', ...RETURN_WORD) } }
    const changed = { stateOverride: number, blockOverride: { number: 3n } }
    expect(await outcome(changed)).toBe(word(3n))
  })

  test('the trust report names them, and no other', async () => {
    const { client } = ask()
    const altered = await call(client, { ...readProxy, stateOverride: { [BOB]: { nonce: 2n } } })
    expect(altered).toMatchObject({ trust: { notProved: ['anchor', 'recency', 'overrides'] } })
    const none = await call(client, { ...readProxy, stateOverride: {}, blockOverride: {} })
    expect(none).toMatchObject({ trust: { notProved: ['anchor', 'recency'] } })
  })

  test.each([
    [{ stateOverride: { '0x1': {} } }, 'stateOverride.0x1'],
    [{ stateOverride: { [BOB]: { balance: -1n } } }, `stateOverride.${BOB}.balance`],
    [{ stateOverride: { [BOB]: { code: '0x1' } } }, `stateOverride.${BOB}.code`],
    [{ stateOverride: { [BOB]: { state: {}, stateDiff: {} } } }, `stateOverride.${BOB}`],
    [{ stateOverride: { [BOB]: { wei: 1n } } }, 'wei'],
    [{ blockOverride: { time: 2n ** 64n } }, 'blockOverride.time'],
    [{ blockOverride: { prevRandao: '0x1' } }, 'blockOverride.prevRandao'],
  ])('input: %o', async (parameters, argument) => {
    await expect(outcome(parameters)).rejects.toMatchObject({ argument })
  })
})

describe('a preview', () => {
  const slots = { [slotOf(ALICE)]: 77n }
  const moving = stateChain(
    [{}, { ...state, [TOKEN]: { nonce: 1n, code: MOVING_TOKEN_CODE, slots } }],
    FORKS,
  )
  const preview = (parameters: object) =>
    simulate(clientOf(moving.chain, [moving.methods], ASKING).client, parameters)
  const data: Hex = `0xa9059cbb${word(BigInt(BOB)).slice(2)}${word(7n).slice(2)}`

  test('of a transfer of a token: who holds what then', async () => {
    const result = proven(await preview({ from: ALICE, to: TOKEN, data }))
    const transfer = { standard: 'erc20', token: TOKEN, from: ALICE, to: BOB, amount: 7n }
    expect(result.transfers).toEqual([{ ...transfer, tokenId: undefined }])
    const changed = result.changes.find(({ address }) => address === TOKEN)
    expect(changed?.slots).toEqual(
      expect.arrayContaining([
        { slot: slotOf(ALICE), value: 70n },
        { slot: slotOf(BOB), value: 7n },
      ]),
    )
    expect(await preview({ from: BOB, to: TOKEN, data })).toMatchObject({ status: 'reverted' })
  })

  test('of a payment', async () => {
    const { changes, transfers } = proven(await preview({ from: ALICE, to: BOB, value: 5n }))
    expect(transfers).toEqual([])
    expect(changes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ address: BOB, balance: { before: 1n, after: 6n } }),
      ]),
    )
  })

  test('tokens of other standards, and logs that are none', () => {
    const [who, whom] = [word(BigInt(ALICE)), word(BigInt(BOB))]
    const log = (topics: Hex[], ...words: bigint[]) => ({
      address: TOKEN,
      topics,
      data: `0x${words.map((one) => word(one).slice(2)).join('')}` as const,
    })
    const single = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
    const batch = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
    const of = (...logs: ReturnType<typeof log>[]) =>
      transfersIn(logs).map(({ standard, amount, tokenId }) => [standard, amount, tokenId])
    expect(of(log([TRANSFER, who, whom, word(9n)]))).toEqual([['erc721', 1n, 9n]])
    expect(of(log([single, who, who, whom], 3n, 4n))).toEqual([['erc1155', 4n, 3n]])
    const many = log([batch, who, who, whom], 64n, 160n, 2n, 5n, 6n, 2n, 7n, 8n)
    expect(of(many)).toEqual([
      ['erc1155', 7n, 5n],
      ['erc1155', 8n, 6n],
    ])
    const none = [
      log([TRANSFER, who, whom]),
      log([TRANSFER]),
      log([]),
      log([word(1n), who, who, whom], 1n, 2n),
      log([single, who, who, whom], 1n),
      log([batch, who, who, whom], 64n, 2n ** 255n, 1n, 5n),
      log([batch, who, who, whom], 33n, 64n, 1n, 5n),
      log([batch, who, who, whom], 64n, 64n, 2n ** 200n),
    ]
    expect(of(...none)).toEqual([])
  })
})

describe('many calls, gas and access lists', () => {
  test('many calls share what is fetched', async () => {
    const { client, calls: asked } = ask()
    const list = [ALICE, BOB, TOKEN, PROXY].flatMap((owner) => [
      { to: TOKEN, data: balanceOf(owner) },
      { to: PROXY, data: balanceOf(owner) },
    ])
    const result = await calls(client, { calls: [...list, { to: address(0x2002) }] })
    const outcomes = proven(result)
    expect(
      outcomes.map((one) => (one.status === 'success' ? BigInt(one.value.output) : one.error.code)),
    ).toEqual([77n, 99n, 0n, 0n, 0n, 0n, 0n, 0n, 'call.reverted'])
    expect(asked.filter((method) => method === 'eth_getCode').length).toBeLessThanOrEqual(4)
  })

  test('gas: the least with which it succeeds', async () => {
    const { client } = ask()
    expect(proven(await estimateGas(client, { to: BOB }))).toBe(21_000n)
    const readToken = { to: TOKEN, data: balanceOf(ALICE) }
    const least = proven(await estimateGas(client, readToken))
    expect(ending(await call(client, { ...readToken, gas: least }))).toBe(word(77n))
    expect(ending(await call(client, { ...readToken, gas: least - 1n }))).toBe('call.halted')
    expect(await estimateGas(client, { to: address(0x2002) })).toMatchObject({ status: 'reverted' })
  })

  test('an access list: what is read beside caller and callee, and the gas with it', async () => {
    const { client } = ask()
    const { accessList, gasUsed } = proven(await createAccessList(client, readProxy))
    expect(accessList).toEqual([
      { address: TOKEN, storageKeys: [] },
      { address: PROXY, storageKeys: [word(0n), slotOf(ALICE)].sort() },
    ])
    const used = await call(client, { ...readProxy, accessList })
    expect(used).toMatchObject({ status: 'success', value: { output: RIGHT, gasUsed } })
  })
})

describe('lies', () => {
  type Reply = { accountProof: Hex[]; storageProof: { key: Hex; value: Hex; proof: Hex[] }[] }
  const proofs = (change: (reply: Reply, address: string) => unknown): Methods => ({
    eth_getProof: (who: string, slots: string[], id: string) =>
      change(honest('eth_getProof', who, slots, id) as Reply, who),
  })
  const other = stateChain([{}, { ...state, [PROXY]: { nonce: 1n, code: TOKEN_CODE } }], FORKS)
  const only = (wanted: string, change: (reply: Reply) => unknown): Methods =>
    proofs((reply, who) => (who === wanted ? change(reply) : reply))
  const slotProofs = (change: (proof: Hex[]) => Hex[]) => (reply: Reply) => ({
    ...reply,
    storageProof: reply.storageProof.map((slot) => ({ ...slot, proof: change(slot.proof) })),
  })

  const LIES: readonly (readonly [string, Methods])[] = [
    ['an account is left out', only(PROXY, (reply) => ({ ...reply, accountProof: [] }))],
    ['another is left out', only(TOKEN, (reply) => ({ ...reply, accountProof: [] }))],
    [
      'the last node of an account',
      only(TOKEN, (reply) => ({ ...reply, accountProof: reply.accountProof.slice(0, -1) })),
    ],
    [
      'slots are left out',
      only(
        PROXY,
        slotProofs(() => []),
      ),
    ],
    ['the list of slots is empty', only(PROXY, (reply) => ({ ...reply, storageProof: [] }))],
    [
      'the last node of a slot',
      only(
        PROXY,
        slotProofs((proof) => proof.slice(0, -1)),
      ),
    ],
    [
      'slots of another account',
      only(PROXY, (reply) => ({
        ...reply,
        storageProof: reply.storageProof.map((slot) => ({
          ...slot,
          proof: (honest('eth_getProof', TOKEN, [slot.key], toHead) as Reply).storageProof[0]
            ?.proof,
        })),
      })),
    ],
    ['another account', only(TOKEN, () => honest('eth_getProof', ALICE, [], toHead))],
    [
      'the state of another block',
      { eth_getProof: (who: string, slots: string[]) => honest('eth_getProof', who, slots, '0x0') },
    ],
    [
      'the state of another chain',
      {
        eth_getProof: (who: string, slots: string[]) =>
          (other.methods['eth_getProof'] as (...all: unknown[]) => unknown)(who, slots, '0x1'),
      },
    ],
    ['code is left out', { eth_getCode: () => '0x' }],
    ['code of another', { eth_getCode: () => TOKEN_CODE }],
    [
      'code with one more byte',
      { eth_getCode: (who: string, id: unknown) => `${honest('eth_getCode', who, id)}00` },
    ],
    ['code that is no hex', { eth_getCode: () => 7 }],
    [
      'a node of the proof changed',
      proofs((reply) => ({
        ...reply,
        accountProof: reply.accountProof.map((node) => `${node.slice(0, -2)}ff`),
      })),
    ],
    ['a proof that is none', { eth_getProof: () => 'no' }],
    ['no proof', { eth_getProof: () => null }],
    [
      'a node that is too long',
      only(PROXY, (reply) => ({
        ...reply,
        accountProof: [...reply.accountProof, `0x${'00'.repeat(700)}`],
      })),
    ],
    [
      'an error',
      {
        eth_getProof: () => {
          throw new ScriptedError(-32000, 'no')
        },
      },
    ],
  ]
  const toHead = { blockHash: chain.head.hash }

  test.each(LIES)(
    '%s: an error with a code; with another node, the right answer',
    async (_, lie) => {
      const { client } = ask(lie)
      const alone = await call(client, readProxy)
      expect(alone.status).toMatch(/^(invalid|unavailable)$/)
      expect(ending(alone)).toMatch(/^[a-z]+(\.[a-z]+)?$/)
      const two = clientOf(chain, [{ ...methods, ...lie }, methods], ASKING)
      const both = await call(two.client, readProxy)
      expect(ending(both)).toBe(RIGHT)
      expect(both).toMatchObject({
        trust: { servedBy: 'http://n2', tried: [{ node: 'http://n1' }] },
      })
    },
  )

  test('evidence: what was false can be checked by anybody', async () => {
    const { client } = ask(
      only(
        PROXY,
        slotProofs(() => []),
      ),
    )
    const result = await call(client, readProxy)
    if (result.status !== 'invalid') throw result
    expect(result.evidence).toHaveLength(1)
    expect(result.error).toMatchObject({ node: 'http://n1', kind: 'verify' })
  })

  test('one answer at a time is left out or exchanged: never another outcome', async () => {
    const count = { total: 0 }
    const counted = (change?: number, with_: unknown = null): Methods => {
      count.total = 0
      const wrap =
        (method: string) =>
        (...params: never[]): unknown =>
          count.total++ === change ? with_ : honest(method, ...params)
      return { eth_getProof: wrap('eth_getProof'), eth_getCode: wrap('eth_getCode') }
    }
    await call(ask(counted()).client, readProxy)
    const { total } = count
    expect(total).toBeGreaterThan(4)
    const wrong: unknown[] = [
      null,
      '0x',
      TOKEN_CODE,
      PROXY_CODE,
      ...[ALICE, BOB, TOKEN, PROXY].map((who) => honest('eth_getProof', who, [word(0n)], toHead)),
      ...[TOKEN, PROXY].map((who) => honest('eth_getProof', who, [slotOf(BOB)], '0x0')),
    ]
    for (let at = 0; at < total; at++) {
      for (const answer of wrong) {
        const result = await call(ask(counted(at, answer)).client, readProxy)
        if (result.status === 'success') expect(result.value.output).toBe(RIGHT)
        else expect(result.status).toMatch(/^(invalid|unavailable)$/)
      }
    }
  })

  test('a node that never answers: the next one does, or the deadline ends it', async () => {
    const silent =
      (inner: typeof fetch): typeof fetch =>
      (input, init) =>
        String(input).includes('n1') && String(init?.body).includes('eth_getProof')
          ? new Promise((_, reject) => {
              init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
            })
          : inner(input, init)
    const { fetch } = clientOf(chain, [methods, methods], ASKING)
    const both = clientOf(chain, [methods, methods], {
      ...ASKING,
      fetch: silent(fetch),
      hedgeMs: 50,
    })
    const result = await call(both.client, readProxy)
    expect([ending(result), 'trust' in result && result.trust.servedBy]).toEqual([
      RIGHT,
      'http://n2',
    ])
    const alone = clientOf(chain, [methods], { ...ASKING, fetch: silent(fetch), deadlineMs: 500 })
    expect(ending(await call(alone.client, readProxy))).toBe('deadline')
  })

  test('a node that answers one item a minute: the deadline ends it', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    try {
      const { fetch } = clientOf(chain, [methods], ASKING)
      let [waiting, answered] = [0, 0]
      const slow: typeof fetch = async (input, init) => {
        if (!/eth_getProof|eth_getCode/.test(String(init?.body))) return fetch(input, init)
        waiting++
        await new Promise((resolve) => setTimeout(resolve, 60_000))
        waiting--
        answered++
        return fetch(input, init)
      }
      const minutes = 5
      const terms = { ...ASKING, timeoutMs: 600_000, deadlineMs: minutes * 60_000 + 1 }
      const { client } = clientOf(chain, [methods], { ...terms, fetch: slow })
      const started = Date.now()
      // Each slot names the next one.
      let result: CallResult | undefined
      call(client, { to: address(0x2004) }).then((found) => {
        result = found
      })
      while (result === undefined) {
        await new Promise((resolve) => setImmediate(resolve))
        // What is done here takes none of that clock's time.
        if (waiting > 0) vi.advanceTimersByTime(1_000)
      }
      expect(ending(result)).toBe('deadline')
      expect(answered).toBeGreaterThan(1)
      expect(answered).toBeLessThanOrEqual(minutes)
      expect(Date.now() - started).toBeLessThan((minutes + 1) * 60_000)
    } finally {
      vi.useRealTimers()
    }
  })
})
