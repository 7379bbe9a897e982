/**
 * An application pushes its blocks to three operators, who attest them; every system proves its
 * state.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { balanceproofs } from '../../src/entry/balanceproofs.js'
import { getHistory } from '../../src/entry/cole.js'
import { lmpt } from '../../src/entry/lmpt.js'
import { lvmt } from '../../src/entry/lvmt.js'
import {
  type Client,
  createClient,
  defineChain,
  getAccount,
  getBalance,
  getCode,
  getValue,
  getValues,
  proven,
} from '../../src/entry/node.js'
import { createPushClient, type PushBlock, pushBlock } from '../../src/entry/push.js'
import { verkle } from '../../src/entry/verkle.js'
import { type Attester, makeOperators } from '../support/attesters.js'

const SECRET = '07'.repeat(32)
const PERIOD = 4
const address = (index: number): string => `0x${(index + 1).toString(16).padStart(40, 'a')}`
const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`
const HOLDERS = Array.from({ length: 100 }, (_, i) => address(i))
const TOKEN = address(1000)
/** Deletes itself later. */
const SPENT = address(1001)
/** What EIP-7702 leaves at an account that delegates to the token. */
const DELEGATION = `0xef0100${TOKEN.slice(2)}`

/** Balances after all blocks. */
const balanceOf = (i: number): bigint => BigInt(i) * 10n ** 15n + (i === 1 ? 7n : 0n)
/**
 * What the token's slot 1 holds after blocks 1, 2 and 3, which are followed by ones that do not
 * write it.
 */
const HELD = [10n, 0n, 25n]

const BLOCKS: readonly PushBlock[] = [
  {
    number: 1,
    timestamp: 100,
    accounts: [
      ...HOLDERS.map((address, i) => ({ address, nonce: 0, balance: BigInt(i) * 10n ** 15n })),
      { address: TOKEN, nonce: 1, balance: 0, code: '0x6080' },
      { address: SPENT, nonce: 1, balance: 3n },
    ],
    slots: [
      { address: TOKEN, slot: 1, value: 10n },
      // 500 of them, so that every system's trees have several levels.
      ...Array.from({ length: 500 }, (_, i) => ({
        address: TOKEN,
        slot: 1000 + i,
        value: BigInt(i) + 1n,
      })),
    ],
  },
  { number: 2, timestamp: 101, slots: [{ address: TOKEN, slot: 1, value: 0n }] },
  {
    number: 3,
    timestamp: 102,
    accounts: [
      { address: HOLDERS[1] ?? '', nonce: 1, balance: balanceOf(1), code: DELEGATION },
      { address: SPENT, deleted: true },
    ],
    slots: [{ address: TOKEN, slot: 1, value: 25n }],
  },
  // Past the first handover.
  ...[4, 5, 6].map((number) => ({
    number,
    timestamp: 100 + number,
    slots: [{ address: TOKEN, slot: 2, value: BigInt(number) }],
  })),
]
const LAST = BLOCKS.length

let directory: string
let operators: Awaited<ReturnType<typeof makeOperators>>
let nodes: readonly Attester[]
let client: Client

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'lightproof-push-'))
  const [jwt = '', balances = ''] = ['jwt.hex', 'balances.txt'].map((name) => {
    return path.join(directory, name)
  })
  writeFileSync(jwt, SECRET)
  writeFileSync(balances, HOLDERS.map((address) => `${address}\n`).join(''))
  const push = ['--push', '127.0.0.1:0', '--jwt', jwt, '--genesis-time', '1']
  operators = await makeOperators(3, PERIOD, [...push, '--balances', balances])
  nodes = await Promise.all([0, 1, 2].map(operators.start))
  const pushers = nodes.map((node) => createPushClient({ url: node.push ?? '', secret: SECRET }))
  for (const block of BLOCKS) {
    const hashes = await Promise.all(pushers.map((pusher) => pushBlock(pusher, block)))
    // The same content is the same block, whoever commits to it.
    expect(new Set(hashes.map(({ hash }) => hash)).size).toBe(1)
  }
  await Promise.all(nodes.map(({ announced }) => announced(LAST)))

  const [one] = nodes
  if (one === undefined) throw new Error('no operator')
  const { kind, chainId, genesisHash, consensus } = one
  const systems = Object.fromEntries(
    Object.entries(one.systems).map(([name, { paramsDigest, ...config }]) => {
      return [name, paramsDigest === null ? config : { ...config, paramsDigest }]
    }),
  )
  client = createClient({
    chain: defineChain({ name: 'ours', kind, chainId, genesisHash, consensus, systems }),
    anchor: { checkpoint: genesisHash, maxAgeSeconds: Number.POSITIVE_INFINITY },
    nodes: nodes.map(({ url }) => url),
  })
})
afterAll(async () => {
  await operators?.stop()
  rmSync(directory, { recursive: true, force: true })
})

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
