/**
 * Balances of tokens, as their own code computes them. A balance guessed from the slot that a
 * layout names was false where every slot was proven: for holders with a flag, after an upgrade,
 * behind a proxy or a beacon, for shares.
 */

import { describe, expect, test } from 'vitest'
import { bytesOf, type Hex, toHex } from '../../src/encoding/hex.js'
import { leftPad } from '../../src/encoding/input.js'
import {
  getErc20Allowance,
  getErc20Balance,
  getErc721Balance,
  getErc721Owner,
  getErc1155Balance,
} from '../../src/entry/evm.js'
import { proven } from '../../src/entry/node.js'
import { loadHash } from '../../src/wasm/module.js'
import { ALICE, address, BOB, FORKS, slotOf, TOKEN, word } from '../support/callWorld.js'
import { ASKING, clientOf } from '../support/client.js'
import {
  BEACON_CODE,
  BEACON_PROXY_CODE,
  FLAGGED_TOKEN_CODE,
  PROXY_CODE,
  REBASING_TOKEN_CODE,
  STRICT_TOKEN_CODE,
  TOKEN_CODE,
  tokenAt,
} from '../support/contracts.js'
import type { Methods } from '../support/rpc.js'
import { stateChain, type TestState } from '../support/state.js'

const { keccak256 } = await loadHash()
const [OLD, NEW, BEACON, FROZEN, WHALE] = [0x3001, 0x3002, 0x3003, 0xf00, 0xba1].map(address) as [
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
]
const FLAG = 1n << 255n

/** Where a token keeps what an owner holds after its upgrade: in the mapping at position 1. */
const movedSlot = (owner: Hex): Hex =>
  toHex(keccak256(new Uint8Array([...leftPad(bytesOf(owner)), ...new Uint8Array(31), 1])))

const token = (code: Hex, slots: Record<string, bigint>, more: TestState = {}): TestState => ({
  [TOKEN]: { nonce: 1n, code, slots },
  [ALICE]: { balance: 1n },
  [OLD]: { nonce: 1n, code: TOKEN_CODE },
  [NEW]: { nonce: 1n, code: tokenAt(1) },
  ...more,
})

const worldOf = (...states: TestState[]) => stateChain(states, FORKS)

function asking(world: ReturnType<typeof worldOf>, ...nodes: readonly Methods[]) {
  const { client } = clientOf(world.chain, nodes.length === 0 ? [world.methods] : nodes, ASKING)
  return async (owner: Hex, at?: bigint): Promise<unknown> => {
    const question = { token: TOKEN, owner, ...(at === undefined ? {} : { at }) }
    const result = await getErc20Balance(client, question)
    return result.status === 'success' ? result.value : [result.status, result.error.code]
  }
}

describe('flags', () => {
  const slots = {
    [slotOf(ALICE)]: 5_000_000n,
    [slotOf(FROZEN)]: FLAG + 3n,
    [slotOf(WHALE)]: (1n << 120n) + 7n,
    [slotOf(BOB)]: FLAG,
  }

  test('behavior: a frozen holder of USDC has their balance, not 2^255 more', async () => {
    const ask = asking(worldOf(token(FLAGGED_TOKEN_CODE, slots)))
    expect(await ask(FROZEN)).toBe(3n)
    expect(await ask(ALICE)).toBe(5_000_000n)
    expect(await ask(WHALE)).toBe((1n << 120n) + 7n)
    expect(await ask(BOB)).toBe(0n)
  })

  test('behavior: where the code takes the whole slot, so does the balance', async () => {
    const ask = asking(worldOf(token(TOKEN_CODE, slots)))
    expect(await ask(FROZEN)).toBe(FLAG + 3n)
  })
})

describe('upgrades', () => {
  const old = { [slotOf(ALICE)]: 5_000_000n, [slotOf(BOB)]: 7n }
  const moved = { [movedSlot(ALICE)]: 5_000_000n, [movedSlot(BOB)]: 7n }
  /**
   * Old slots as they were, but for one that was cleared: a zero that is proven, and no balance.
   */
  const left = { ...old, ...moved, [slotOf(BOB)]: 0n }
  const proxied = (code: Hex, slots: Record<string, bigint>): TestState =>
    token(PROXY_CODE, { ...slots, [word(0n)]: BigInt(code) })
  const beaconed = (code: Hex, slots: Record<string, bigint>): TestState =>
    token(
      BEACON_PROXY_CODE,
      { ...slots, [word(0n)]: BigInt(BEACON) },
      { [BEACON]: { nonce: 1n, code: BEACON_CODE, slots: { [word(0n)]: BigInt(code) } } },
    )

  const UPGRADES: readonly [string, TestState, TestState][] = [
    ['the code is another', token(TOKEN_CODE, old), token(tokenAt(1), moved)],
    ['old slots are left', token(TOKEN_CODE, old), token(tokenAt(1), left)],
    ['a proxy runs other code', proxied(OLD, old), proxied(NEW, left)],
    [
      'a beacon names other code: no slot of the token says so',
      beaconed(OLD, old),
      beaconed(NEW, left),
    ],
  ]

  test.each(UPGRADES)(
    'behavior: %s: the balance stays, and no zero is shown',
    async (_, one, two) => {
      const ask = asking(worldOf(one, two))
      for (const at of [0n, 1n, 0n]) {
        expect(await ask(BOB, at)).toBe(7n)
        expect(await ask(ALICE, at)).toBe(5_000_000n)
        expect(await ask(WHALE, at)).toBe(0n)
      }
    },
  )

  test('reverted: a token that is no contract any more holds nothing for anybody, and no zero either', async () => {
    const ask = asking(worldOf(token(TOKEN_CODE, old), { [ALICE]: { balance: 1n } }))
    expect(await ask(BOB, 0n)).toBe(7n)
    expect(await ask(BOB, 1n)).toEqual(['reverted', 'call.reverted'])
  })

  test.each(UPGRADES)(
    'invalid: %s, and a node that serves the state from before',
    async (_, one, two) => {
      const world = worldOf(one, two)
      const liar = { ...world.methods, eth_getProof: before(world, 'eth_getProof') }
      expect(await asking(world, liar)(BOB, 1n)).toEqual(['invalid', 'verify.root'])
      expect(await asking(world, liar, world.methods)(BOB, 1n)).toBe(7n)
    },
  )

  test('invalid: a node that serves the code from before', async () => {
    const world = worldOf(token(TOKEN_CODE, old), token(tokenAt(1), moved))
    const liar = { ...world.methods, eth_getCode: before(world, 'eth_getCode') }
    expect(await asking(world, liar)(BOB, 1n)).toEqual(['invalid', 'verify.code'])
    expect(await asking(world, liar, world.methods)(BOB, 1n)).toBe(7n)
  })
})

/** A method that answers of block 0, whichever it is asked about. */
function before(world: ReturnType<typeof worldOf>, method: string): Methods[string] {
  const honest = world.methods[method] as (...params: unknown[]) => unknown
  return (...params: unknown[]) =>
    honest(...params.slice(0, -1), { blockHash: world.chain.at(0).hash })
}

test('behavior: shares are no balance: the token multiplies them', async () => {
  const shares = { [slotOf(ALICE)]: 10n }
  const at = (index: bigint): TestState =>
    token(REBASING_TOKEN_CODE, { ...shares, [word(9n)]: index })
  const ask = asking(worldOf(at(3n), at(4n)))
  expect([await ask(ALICE, 0n), await ask(ALICE, 1n)]).toEqual([30n, 40n])
})

describe('a contract that looks at the selector and at the order of arguments', () => {
  /** In a mapping at a position, as Solidity has it. */
  const placed = (key: bigint, position: Hex): Hex =>
    toHex(keccak256(bytesOf(`${word(key)}${position.slice(2)}`)))
  const within = (first: bigint, second: bigint, position: bigint): Hex =>
    placed(second, placed(first, word(position)))
  const [alice, bob] = [BigInt(ALICE), BigInt(BOB)] as const
  const world = worldOf(
    token(STRICT_TOKEN_CODE, {
      [placed(alice, word(0n))]: 11n,
      [within(alice, bob, 1n)]: 12n,
      [within(bob, alice, 1n)]: 13n,
      [placed(7n, word(2n))]: bob,
      [within(alice, 7n, 3n)]: 14n,
      [within(7n, alice, 3n)]: 15n,
    }),
  )
  const { client } = clientOf(world.chain, [world.methods], ASKING)
  const of = { token: TOKEN, owner: ALICE } as const

  test('behavior: each function is asked with its own selector, its arguments in their order', async () => {
    expect(proven(await getErc20Balance(client, of))).toBe(11n)
    expect(proven(await getErc721Balance(client, of))).toBe(11n)
    expect(proven(await getErc20Allowance(client, { ...of, spender: BOB }))).toBe(12n)
    const other = { token: TOKEN, owner: BOB, spender: ALICE }
    expect(proven(await getErc20Allowance(client, other))).toBe(13n)
    expect(proven(await getErc721Owner(client, { token: TOKEN, tokenId: 7n }))).toBe(BOB)
    expect(proven(await getErc1155Balance(client, { ...of, tokenId: 7n }))).toBe(14n)
  })

  test('reverted: nobody owns the token, and the contract says so', async () => {
    const result = await getErc721Owner(client, { token: TOKEN, tokenId: 8n })
    const error = { code: 'call.reverted', data: `0x7e273289${word(8n).slice(2)}` }
    expect(result).toMatchObject({
      status: 'reverted',
      error,
      trust: { proved: ['header', 'call'] },
    })
  })
})
