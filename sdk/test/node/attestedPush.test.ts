/**
 * An application pushes its blocks to three operators, who attest them; every system proves its
 * state.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { balanceproofs } from '../../src/entry/balanceproofs.js'
import { getHistory } from '../../src/entry/cole.js'
import { lmpt } from '../../src/entry/lmpt.js'
import { lvmt } from '../../src/entry/lvmt.js'
import {
  type Client,
  createClient,
  getAccount,
  getBalance,
  getCode,
  getValue,
  getValues,
  proven,
} from '../../src/entry/node.js'
import { verkle } from '../../src/entry/verkle.js'
import {
  balanceOf,
  DELEGATION,
  HELD,
  HOLDERS,
  LAST,
  type PushedChain,
  SPENT,
  startPushedChain,
  TOKEN,
  word,
} from '../support/pushedChain.js'

let pushed: PushedChain
let client: Client

beforeAll(async () => {
  pushed = await startPushedChain()
  const { chain, nodes } = pushed
  const anchor = { checkpoint: chain.genesisHash, maxAgeSeconds: Number.POSITIVE_INFINITY }
  client = createClient({ chain, anchor, nodes })
})
afterAll(() => pushed?.stop())

const attested = { trust: { finality: 'finalized', attestedBy: { of: 3 } } }

test('behavior: balances, a deleted account and a delegation by mpt', async () => {
  const found = await getBalance(client, { address: HOLDERS[1] ?? '', at: LAST })
  expect(proven(found)).toBe(balanceOf(1))
  expect(found).toMatchObject(attested)
  expect(await getAccount(client, { address: SPENT, at: 2 })).toMatchObject({ status: 'present' })
  expect(await getAccount(client, { address: SPENT, at: LAST })).toMatchObject({ status: 'absent' })
  const code = await getCode(client, { address: HOLDERS[1] ?? '', at: LAST })
  expect(proven(code)).toBe(DELEGATION)
})

test.each([lmpt, lvmt, verkle])('behavior: slots by $name', async (system) => {
  for (const [slot, value] of [
    [1, 25n],
    [1499, 500n],
  ] as const) {
    const key = { address: TOKEN, slot }
    const found = await getValue(client, { system: system as typeof lmpt, key, at: LAST })
    expect(found).toMatchObject({ status: 'present', value: word(value), ...attested })
  }
  const never = { address: TOKEN, slot: 3 }
  const absent = await getValue(client, { system: system as typeof lmpt, key: never, at: LAST })
  expect(absent).toMatchObject({ status: 'absent', ...attested })
})

test('behavior: the complete history of a slot by cole', async () => {
  const found = await getHistory(client, { address: TOKEN, slot: 1, fromBlock: 0, at: LAST })
  const { versions, complete } = proven(found)
  expect(complete).toBe(true)
  expect(versions.map(({ block, value }) => [block, BigInt(value ?? 0)])).toEqual(
    HELD.map((value, i) => [BigInt(i + 1), value]),
  )
  expect(found).toMatchObject(attested)
})

test('behavior: a hundred balances by one aggregate', async () => {
  const keys = HOLDERS.map((_, position) => position)
  const found = await getValues(client, { system: balanceproofs, keys, at: LAST })
  expect(proven(found).map(({ value }) => value)).toEqual(HOLDERS.map((_, i) => balanceOf(i)))
  expect(found).toMatchObject(attested)
})
