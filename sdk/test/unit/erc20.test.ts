/** Token balances by slots: flags, upgrades and proxies, which once made false balances of proven slots. */

import { describe, expect, test } from 'vitest'
import { candidates, slotOf } from '../../src/adapters/erc20Layout.js'
import type { Hex } from '../../src/encoding/hex.js'
import { parseAddress } from '../../src/encoding/input.js'
import { type BalanceLayout, findBalanceLayout, getErc20Balance } from '../../src/entry/erc20.js'
import { getBlock, proven } from '../../src/entry/node.js'
import { loadHash } from '../../src/wasm/module.js'
import { ASKING, clientOf } from '../support/client.js'
import { stateChain, type TestState } from '../support/state.js'

const hash = await loadHash()
const [TOKEN, ALICE, BOB, FLAGGED, WHALE] = ['a1', 'b1', 'b2', 'b3', 'b4'].map(
  (byte) => `0x${byte.repeat(20)}` as const,
) as [Hex, Hex, Hex, Hex, Hex]
const NINTH = { kind: 'solidity', position: 9n } as const
const TENTH = { kind: 'solidity', position: 10n } as const
const slot = (owner: Hex, layout: BalanceLayout = NINTH): Hex =>
  slotOf(layout, parseAddress(owner, 'owner', hash), hash)
const CODE = `0x${'c0'.repeat(32)}` as const
const OTHER_CODE = `0x${'c1'.repeat(32)}` as const
const FLAG = 1n << 255n
const HELD = { [ALICE]: 5_000_000n, [BOB]: 7n } as Record<Hex, bigint>
const EIP_1967 = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const EIP_1822 = '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7'
const ZEPPELINOS = '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3'
const BEACON = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'

const USDC = {
  [slot(ALICE)]: 5_000_000n,
  [slot(BOB)]: 7n,
  [slot(FLAGGED)]: FLAG + 3n,
  [slot(WHALE)]: 1n << 100n,
}
const token = (slots: Record<string, bigint>, codeHash: Hex = CODE): TestState => ({
  [TOKEN]: { nonce: 1n, codeHash, slots },
  [ALICE]: { balance: 1n },
})
const clientAt = (...states: TestState[]) => {
  const { chain, methods } = stateChain(states)
  return clientOf(chain, [methods], ASKING).client
}
const witnesses = [{ holder: ALICE, balance: 5_000_000n }]

describe('flags', () => {
  test('unavailable: a flagged holder of USDC, where a witness without a flag showed the layout', async () => {
    const client = clientAt(token(USDC))
    const ask = (owner: Hex) => getErc20Balance(client, { token: TOKEN, owner, witnesses })
    expect(await ask(BOB)).toMatchObject({ status: 'unverifiedLayout', value: HELD[BOB] })
    expect(await ask(FLAGGED)).toMatchObject({
      status: 'unavailable',
      error: { code: 'unsupported', message: expect.stringContaining('may be flags') },
    })
    expect(await ask(WHALE)).toMatchObject({ status: 'unavailable' })
  })

  test('behavior: a witness with a flag shows how wide balances are', async () => {
    const client = clientAt(token(USDC))
    const flagged = [...witnesses, { holder: FLAGGED, balance: 3n }]
    const found = await findBalanceLayout(client, { token: TOKEN, witnesses: flagged })
    expect(found).toMatchObject({ status: 'found', layout: { ...NINTH, bits: 96, widest: 255 } })
    const ask = (owner: Hex) => getErc20Balance(client, { token: TOKEN, owner, witnesses: flagged })
    expect(await ask(FLAGGED)).toMatchObject({ status: 'unverifiedLayout', value: 3n })
    expect(await ask(WHALE)).toMatchObject({ status: 'unavailable' })
  })

  test('behavior: a width that the caller knows is taken, one that nobody names is not guessed', async () => {
    const client = clientAt(token(USDC))
    const ask = (owner: Hex, layout: BalanceLayout) =>
      getErc20Balance(client, { token: TOKEN, owner, layout, witnesses })
    expect(await ask(FLAGGED, { ...NINTH, bits: 255 })).toMatchObject({ value: 3n })
    expect(await ask(WHALE, { ...NINTH, bits: 255 })).toMatchObject({ value: 1n << 100n })
    expect(await ask(FLAGGED, NINTH)).toMatchObject({ status: 'unavailable' })
    expect(await ask(BOB, NINTH)).toMatchObject({ value: HELD[BOB] })
  })

  test('behavior: the narrowest width that fits comes first', async () => {
    const client = clientAt(token({ ...USDC, [slot(BOB)]: (1n << 120n) + 7n }))
    const big = [{ holder: BOB, balance: (1n << 120n) + 7n }]
    const found = await findBalanceLayout(client, { token: TOKEN, witnesses: big })
    expect(found).toMatchObject({ status: 'found', layout: { bits: 128, widest: 256 } })
  })

  test('behavior: holders alone show no width', async () => {
    const client = clientAt(token(USDC))
    const holders = [{ holder: ALICE }, { holder: FLAGGED }]
    const ask = (owner: Hex) => getErc20Balance(client, { token: TOKEN, owner, witnesses: holders })
    expect(await ask(BOB)).toMatchObject({ status: 'unverifiedLayout', value: 7n })
    expect(await ask(FLAGGED)).toMatchObject({ status: 'unavailable' })
  })
})

describe('upgrades', () => {
  const moved = {
    [slot(ALICE, TENTH)]: 5_000_000n,
    [slot(BOB, TENTH)]: 7n,
  }
  /** Balances moved, old slots cleared or left as they were, and what tells of it. */
  const UPGRADES: readonly [string, TestState, TestState][] = [
    ['the code is another', token(USDC), token(moved, OTHER_CODE)],
    ['old slots are left', token(USDC), token({ ...USDC, ...moved, [slot(BOB)]: 0n }, OTHER_CODE)],
    ...[EIP_1967, EIP_1822, ZEPPELINOS].map((place): [string, TestState, TestState] => [
      `the proxy slot ${place.slice(0, 10)} names another`,
      token({ ...USDC, [place]: 0x11n }),
      token({ ...USDC, ...moved, [slot(BOB)]: 0n, [place]: 0x22n }),
    ]),
    ['nothing but the witness', token(USDC), token(moved)],
    ['the token is no contract any more', token(USDC), { [ALICE]: { balance: 1n } }],
    ['a beacon has the say now', token(USDC), token({ ...USDC, [BEACON]: 0x33n })],
  ]

  test.each(UPGRADES)('unavailable: %s: no zero is shown', async (_, before, after) => {
    const client = clientAt(before, after)
    const ask = (at: bigint) => getErc20Balance(client, { token: TOKEN, owner: BOB, at })
    const first = await getErc20Balance(client, { token: TOKEN, owner: BOB, at: 0n, witnesses })
    expect(first).toMatchObject({ status: 'unverifiedLayout', value: 7n })
    expect(await ask(1n)).toMatchObject({ status: 'unavailable', error: { code: 'unsupported' } })
    expect(await ask(0n)).toMatchObject({ value: 7n })
  })

  test('behavior: new witnesses find where balances are now', async () => {
    const client = clientAt(token(USDC), token(moved, OTHER_CODE))
    const ask = (at: bigint) => getErc20Balance(client, { token: TOKEN, owner: BOB, at, witnesses })
    expect(await ask(0n)).toMatchObject({ layout: { position: 9n, code: { codeHash: CODE } } })
    expect(await ask(1n)).toMatchObject({ value: 7n, layout: { position: 10n } })
  })

  test('behavior: a layout that was kept is bound to its code', async () => {
    const client = clientAt(token(USDC), token(moved, OTHER_CODE))
    const found = await findBalanceLayout(client, { token: TOKEN, witnesses, at: 0n })
    if (found.status !== 'found') throw new Error(found.status)
    const { layout } = found
    const ask = (at: bigint) => getErc20Balance(client, { token: TOKEN, owner: BOB, at, layout })
    expect(await ask(0n)).toMatchObject({ value: 7n })
    expect(await ask(1n)).toMatchObject({ status: 'unavailable' })
  })

  test('unavailable: a witness who holds something else there', async () => {
    const client = clientAt(token(USDC))
    const wrong = [{ holder: ALICE, balance: 4n }]
    const question = { token: TOKEN, owner: BOB, layout: NINTH, witnesses: wrong }
    expect(await getErc20Balance(client, question)).toMatchObject({ status: 'unavailable' })
  })

  test('none: a token behind a beacon, and an account without code', async () => {
    for (const state of [token({ ...USDC, [BEACON]: 1n }), { [ALICE]: { balance: 1n } }]) {
      const found = await findBalanceLayout(clientAt(state), { token: TOKEN, witnesses })
      expect(found).toMatchObject({ status: 'none' })
    }
  })
})

test('behavior: it is no proven balance: the status says so, and `proven` throws', async () => {
  const client = clientAt(token(USDC))
  const result = await getErc20Balance(client, { token: TOKEN, owner: BOB, witnesses })
  expect(result).toMatchObject({
    status: 'unverifiedLayout',
    trust: { proved: ['header', 'account', 'storage'], notProved: ['anchor', 'recency', 'layout'] },
  })
  expect(() => proven(result as never)).toThrow('that the token reads its balances there is not')
  expect(proven(await getBlock(client)).number).toBe(0n)
  const none = await getErc20Balance(client, { token: TOKEN, owner: TOKEN, witnesses })
  expect(none).toMatchObject({ status: 'unverifiedLayout', value: 0n })
})

test('error: a layout without its code needs a witness', async () => {
  const client = clientAt(token(USDC))
  const question = { token: TOKEN, owner: BOB, layout: NINTH }
  await expect(getErc20Balance(client, question)).rejects.toMatchObject({ argument: 'witnesses' })
  const bare = getErc20Balance(client, { token: TOKEN, owner: BOB })
  await expect(bare).rejects.toMatchObject({ argument: 'layout' })
})

test('default: 130 places of a holder are looked at', () => {
  expect(candidates(64)).toHaveLength(130)
})
