/**
 * Native balances that libraries read through a contract: viem and wagmi ask Multicall3 for
 * `getEthBalance` by `eth_call`, alone or in an `aggregate3`. A call cannot be proven, the balances
 * can.
 */

import { getBlock } from '../actions/getBlock.js'
import type { Hex } from '../encoding/hex.js'
import { isRecord } from '../encoding/input.js'
import { getAccount } from '../ethereum/accounts/getAccount.js'
import { getBalance } from '../ethereum/accounts/getBalance.js'
import type { Trust } from '../result/result.js'
import { blockOf } from './blockTag.js'
import { type Answer, type Ask, type Method, settle } from './methods.js'
import { type ProviderRpcError, unprovable } from './rpcError.js'

/** keccak-256 of Multicall3's code: what its functions do is known of this code alone. */
const MULTICALL3 = '0xd5c15df687b16f2ff992fc8d767b4216323184a2bbc6ee2f9c398c318e770891'
const MAX_CALLS = 256
/** Calldata of `getEthBalance(address)`, alone or inside another call. */
const BALANCE_CALL = /4d2301cc0{24}/
const ALONE = /^0x4d2301cc0{24}([0-9a-f]{40})$/
/** `aggregate3((address target, bool allowFailure, bytes callData)[])`. */
const AGGREGATE3 = '0x82ad56cb'
/**
 * A call of `aggregate3`: target, allowFailure, where callData starts, its length,
 * `getEthBalance(address)`, padding.
 */
const INNER = /^0{24}([0-9a-f]{40})0{63}[01]0{62}600{62}244d2301cc0{24}([0-9a-f]{40})0{56}$/
const WORD = 64
const INNER_LENGTH = 6 * WORD

/** Native balances that a call asks a contract for. */
interface Balances {
  /** The contract; its code must be Multicall3's. */
  readonly target: Hex
  readonly owners: readonly Hex[]
  readonly isAggregate: boolean
}

/**
 * Does the call ask for native balances, perhaps among other things? Then no node's word may answer
 * it.
 */
export function asksForBalances([call]: readonly unknown[]): boolean {
  return dataOf(call).some((data) => BALANCE_CALL.test(data))
}

/** `eth_call`, as far as it asks for native balances and nothing else. */
export const NATIVE_BALANCES: Method = {
  proves: 'native balances asked through Multicall3 (getEthBalance), by accounts; no other call',
  answer: async (ask) => {
    const balances = takeApart(ask.params)
    if (balances === undefined) throw refusal('with other calls, or with options')
    return prove(ask, balances)
  },
}

async function prove(ask: Ask, { target, owners, isAggregate }: Balances): Promise<Answer> {
  const { balances, trust } = await balancesOf(ask, target, owners)
  const words = balances.map(word)
  return { result: isAggregate ? encodeResults(words) : `0x${words[0] ?? ''}`, trust }
}

/** Native balances in a block's state, and that block. */
interface Proven {
  readonly balances: readonly bigint[]
  readonly trust: Trust | undefined
  readonly number: bigint
}

/**
 * Proves native balances, where the contract that was asked for them is Multicall3.
 *
 * @throws ProviderRpcError
 */
export async function balancesOf(ask: Ask, target: Hex, owners: readonly Hex[]): Promise<Proven> {
  const { client, params, signal } = ask
  const block = blockOf(client, params[1])
  const header = await getBlock(client, block === undefined ? { signal } : { block, signal })
  settle(header, () => null)
  if (header.status !== 'present') throw new TypeError('it was settled')
  const at = { at: header.value, signal }
  const [contract, ...balances] = await Promise.all([
    getAccount(client, { address: target, ...at }),
    ...owners.map((address) => getBalance(client, { address, ...at })),
  ])
  const code = settle(contract, (account) => account?.codeHash ?? '')
  if (code.result !== MULTICALL3) throw refusal(`of ${target}, whose code is not Multicall3's`)
  const answers = balances.map((balance) => {
    const { trust } = settle<bigint, bigint>(balance, word)
    return { trust, wei: balance.status === 'present' ? balance.value : 0n }
  })
  const trust = answers[0]?.trust ?? code.trust
  return { balances: answers.map(({ wei }) => wei), trust, number: header.value.number }
}

/** The balances, if the call asks for nothing else and nothing changes what it would find. */
function takeApart([call, , ...overrides]: readonly unknown[]): Balances | undefined {
  if (!isRecord(call) || overrides.some((option) => !isEmpty(option))) return undefined
  // A price or a value would be taken from a balance first.
  const { to, data: _, input: __, from: ___, ...rest } = call
  const texts = new Set(dataOf(call))
  const [data = ''] = texts
  const target = String(to).toLowerCase()
  if (texts.size !== 1 || !/^0x[0-9a-f]{40}$/.test(target)) return undefined
  if (Object.values(rest).some((value) => value !== undefined && value !== null)) return undefined
  const alone = ALONE.exec(data)?.[1]
  const owners = alone === undefined ? ownersIn(data, target) : [`0x${alone}` as const]
  return owners && { target: target as Hex, owners, isAggregate: alone === undefined }
}

/** Owners in an `aggregate3` of nothing else, encoded as every library does. */
function ownersIn(data: string, target: string): Hex[] | undefined {
  const count = Number(`0x${data.slice(AGGREGATE3.length + WORD, AGGREGATE3.length + 2 * WORD)}`)
  if (!(count <= MAX_CALLS)) return undefined
  const places = Array.from({ length: count }, (_, i) => count * 32 + (i * INNER_LENGTH) / 2)
  const head = AGGREGATE3 + [32, count, ...places].map((place) => word(BigInt(place))).join('')
  if (!data.startsWith(head) || data.length !== head.length + count * INNER_LENGTH) return undefined
  const owners = places.flatMap((_, i): Hex[] => {
    const start = head.length + i * INNER_LENGTH
    const [, inner, owner] = INNER.exec(data.slice(start, start + INNER_LENGTH)) ?? []
    return `0x${inner}` === target ? [`0x${owner}`] : []
  })
  return owners.length === count ? owners : undefined
}

/** `(bool success, bytes returnData)[]`, each of them true and a word. */
function encodeResults(words: readonly string[]): Hex {
  const places = words.map((_, i) => words.length * 32 + i * 4 * 32)
  const head = [32, words.length, ...places].map((place) => word(BigInt(place)))
  const results = words.flatMap((balance) => [word(1n), word(64n), word(32n), balance])
  return `0x${[...head, ...results].join('')}`
}

function word(value: bigint): string {
  return value.toString(16).padStart(WORD, '0')
}

function dataOf(call: unknown): string[] {
  const { data, input } = isRecord(call) ? call : {}
  return [data, input].filter((text) => typeof text === 'string').map((text) => text.toLowerCase())
}

function isEmpty(option: unknown): boolean {
  return (
    option === undefined ||
    option === null ||
    (isRecord(option) && Object.keys(option).length === 0)
  )
}

function refusal(what: string): ProviderRpcError {
  const fix =
    "to prove all of it, give the provider extensions: [evm()], from lightproof/evm; or give viem's createPublicClient or wagmi's createConfig batch: { multicall: false }, and native balances are asked for by eth_getBalance, which is proven"
  return unprovable(
    `this eth_call asks for native balances ${what}, so it cannot be proven; ${fix}`,
  )
}
