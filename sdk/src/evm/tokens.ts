/** Tokens, by what their own code answers. */

import { parseParameters } from '../actions/parameters.js'
import type { Client } from '../client/client.js'
import { type Hex, integerBytes, toHex } from '../encoding/hex.js'
import { leftPad, parseAddress, shown } from '../encoding/input.js'
import { InputError } from '../result/errors.js'
import type { Grounded, Invalid, Unavailable } from '../result/result.js'
import { loadHash } from '../wasm/module.js'
import { calls } from './calls.js'
import { CallError } from './error.js'
import type { CallResult, Reverted, RunParameters, Succeeded } from './types.js'

/** A token, and who holds it. */
export interface Erc20BalanceParameters extends RunParameters {
  readonly token: string
  readonly owner: string
}

/** Many tokens of one holder. */
export interface Erc20BalancesParameters extends RunParameters {
  /** From 1 to 1,024. */
  readonly tokens: readonly string[]
  readonly owner: string
}

/** What an owner allows a spender. */
export interface Erc20AllowanceParameters extends Erc20BalanceParameters {
  readonly spender: string
}

/** One of many that are each their own. */
export interface Erc721Parameters extends RunParameters {
  readonly token: string
  readonly tokenId: bigint
}

/** What a holder has of one of many kinds. */
export interface Erc1155Parameters extends Erc721Parameters {
  readonly owner: string
}

/** What comes of each token, in their order. */
export type Erc20BalancesResult =
  | Grounded<{
      readonly status: 'proven'
      readonly value: readonly (Succeeded<bigint> | Reverted)[]
    }>
  | Invalid
  | Unavailable

/** What a token answers to one question. */
interface Question {
  readonly token: unknown
  /** The first four bytes of the function's hash. */
  readonly selector: Hex
  readonly words: readonly bigint[]
}

const RUN = ['at', 'signal', 'onProgress', 'stateOverride', 'blockOverride'] as const

/**
 * The balance of a token (ERC-20), as the token's own code computes it from proven state: proxies,
 * flags and rebasing included.
 *
 * @returns success with the balance in the token's smallest unit; reverted also where the token
 *   answers no number.
 * @throws InputError, PlatformError, or the reason of an aborted signal.
 */
export async function getErc20Balance(
  client: Client,
  parameters: Erc20BalanceParameters,
): Promise<CallResult<bigint>> {
  const { token, owner, ...run } = parseParameters(client, parameters, ['token', 'owner', ...RUN])
  const words = [await addressWord(owner, 'owner')]
  return one(client, { token, selector: '0x70a08231', words }, run)
}

/**
 * The balances of many tokens at one block, in one run.
 *
 * @returns proven with the outcome of each token; invalid or unavailable.
 * @throws InputError, PlatformError, or the reason of an aborted signal.
 */
export async function getErc20Balances(
  client: Client,
  parameters: Erc20BalancesParameters,
): Promise<Erc20BalancesResult> {
  const { tokens, owner, ...run } = parseParameters(client, parameters, ['tokens', 'owner', ...RUN])
  if (!Array.isArray(tokens)) {
    throw new InputError('input.option', 'tokens', `expected a list, got ${shown(tokens)}`)
  }
  const words = [await addressWord(owner, 'owner')]
  return many(
    client,
    tokens.map((token) => ({ token, selector: '0x70a08231', words })),
    run,
  )
}

/**
 * How much of a token (ERC-20) a spender may move, as the token's own code computes it.
 *
 * @returns success with the amount in the token's smallest unit; reverted also where the token
 *   answers no number.
 * @throws InputError, PlatformError, or the reason of an aborted signal.
 */
export async function getErc20Allowance(
  client: Client,
  parameters: Erc20AllowanceParameters,
): Promise<CallResult<bigint>> {
  const names = ['token', 'owner', 'spender', ...RUN] as const
  const { token, owner, spender, ...run } = parseParameters(client, parameters, names)
  const words = [await addressWord(owner, 'owner'), await addressWord(spender, 'spender')]
  return one(client, { token, selector: '0xdd62ed3e', words }, run)
}

/**
 * Who owns a token of its own kind (ERC-721).
 *
 * @returns success with the owner's address; reverted where the contract says that there is none.
 * @throws InputError, PlatformError, or the reason of an aborted signal.
 */
export async function getErc721Owner(
  client: Client,
  parameters: Erc721Parameters,
): Promise<CallResult<Hex>> {
  const { token, tokenId, ...run } = parseParameters(client, parameters, [
    'token',
    'tokenId',
    ...RUN,
  ])
  const words = [parseTokenId(tokenId)]
  const result = await one(client, { token, selector: '0x6352211e', words }, run)
  if (result.status !== 'success') return result
  return { ...result, value: `0x${result.value.toString(16).padStart(40, '0').slice(-40)}` }
}

/**
 * How many tokens of their own kind (ERC-721) an owner has, as the contract's own code computes it.
 *
 * @returns success with the number; reverted also where the contract answers none.
 * @throws InputError, PlatformError, or the reason of an aborted signal.
 */
export const getErc721Balance: typeof getErc20Balance = (client, parameters) =>
  getErc20Balance(client, parameters)

/**
 * How many of one kind a holder has (ERC-1155), as the token's own code computes it.
 *
 * @returns success with the number; reverted also where the token answers none.
 * @throws InputError, PlatformError, or the reason of an aborted signal.
 */
export async function getErc1155Balance(
  client: Client,
  parameters: Erc1155Parameters,
): Promise<CallResult<bigint>> {
  const names = ['token', 'tokenId', 'owner', ...RUN] as const
  const { token, tokenId, owner, ...run } = parseParameters(client, parameters, names)
  const words = [await addressWord(owner, 'owner'), parseTokenId(tokenId)]
  return one(client, { token, selector: '0x00fdd58e', words }, run)
}

function parseTokenId(value: unknown): bigint {
  if (typeof value === 'bigint' && value >= 0n && value >> 256n === 0n) return value
  const problem = `expected an integer from 0n to 2^256 - 1, got ${shown(value)}`
  throw new InputError('input.option', 'tokenId', problem)
}

async function addressWord(value: unknown, argument: string): Promise<bigint> {
  return BigInt(parseAddress(value, argument, await loadHash()))
}

async function one(client: Client, question: Question, run: object): Promise<CallResult<bigint>> {
  const result = await many(client, [question], run)
  if (result.status !== 'proven') return result
  const [outcome] = result.value
  if (outcome === undefined) throw new TypeError('the core answered another question')
  return { ...outcome, trust: result.trust }
}

async function many(
  client: Client,
  questions: readonly Question[],
  run: object,
): Promise<Erc20BalancesResult> {
  const hash = await loadHash()
  const list = questions.map(({ token, selector, words }, i) => {
    const to = parseAddress(token, questions.length === 1 ? 'token' : `tokens[${i}]`, hash)
    const digits = words.map((word) => toHex(leftPad(integerBytes(word))).slice(2))
    return { to, data: `${selector}${digits.join('')}` }
  })
  const result = await calls(client, { ...run, calls: list })
  if (result.status !== 'proven') return result
  const value = result.value.map((outcome): Succeeded<bigint> | Reverted => {
    if (outcome.status === 'reverted') return outcome
    const { output, gasUsed, accessed } = outcome.value
    const isWord = output.length >= 2 + 64
    if (isWord) return { status: 'success', value: BigInt(output.slice(0, 2 + 64)) }
    const error = new CallError('call.reverted', output, 'no such token: the reply is not a number')
    return { status: 'reverted', error, gasUsed, accessed }
  })
  return { ...result, value }
}
