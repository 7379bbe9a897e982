/** Calls, overrides and failures as JSON-RPC has them. */

import { invalidParams, unprovable } from '../adapters/rpcError.js'
import { fromQuantity } from '../encoding/hex.js'
import { isRecord, shown } from '../encoding/input.js'
import type { CallError } from './error.js'
import type { BlockOverride, StateOverride } from './overrides.js'
import { LIMITS } from './request.js'
import type { CallRequest } from './types.js'

/** Codes of geth, which libraries know: a revert, and any other failure of a call. */
export const CODES = { 'call.reverted': 3, 'call.halted': -32000, 'call.refused': -32000 } as const

/** As geth words it: libraries look for these words. */
export function wordsOf({ code, reason, message }: CallError): string {
  if (code !== 'call.reverted') return message
  return reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`
}

/** Of a transaction, what no call has. */
const REFUSED = ['authorizationList', 'blobVersionedHashes', 'blobs', 'maxFeePerBlobGas'] as const

/**
 * A transaction as a call.
 *
 * @throws ProviderRpcError -32602, or 4200 for what no call has.
 */
export function callOf(transaction: unknown): CallRequest {
  if (!isRecord(transaction)) {
    throw invalidParams(`expected a transaction, got ${shown(transaction)}`)
  }
  const refused = REFUSED.find((name) => transaction[name] !== undefined)
  if (refused !== undefined) throw unprovable(`calls with ${refused} are not supported`)
  const { to, from, data, input = data, value, gas, gasPrice, accessList } = transaction
  // Sound: the action itself looks at everything that is passed on as it came.
  return {
    ...(isGiven(to) && { to }),
    ...(isGiven(from) && { from }),
    ...(isGiven(input) && { data: input }),
    ...(isGiven(value) && { value: quantity(value, 'value') }),
    ...(isGiven(gas) && { gas: capped(quantity(gas, 'gas')) }),
    ...(isGiven(gasPrice) && { gasPrice: quantity(gasPrice, 'gasPrice') }),
    ...(isGiven(accessList) && { accessList }),
  } as CallRequest
}

/** As nodes do: more is taken for the most that a call may use. */
function capped(gas: bigint): bigint {
  if (gas > LIMITS.gas) return LIMITS.gas
  return gas
}

/** Is it there? */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/**
 * An integer as hex.
 *
 * @throws ProviderRpcError -32602
 */
export function quantity(value: unknown, name: string): bigint {
  const number = fromQuantity(value)
  if (number === undefined) throw invalidParams(`expected ${name} in hex, got ${shown(value)}`)
  return number
}

/** State overrides, as geth takes them. */
export function stateOf(value: unknown): StateOverride {
  if (!isRecord(value)) throw invalidParams(`expected overrides by address, got ${shown(value)}`)
  return Object.fromEntries(
    Object.entries(value).map(([address, account]) => {
      return [address, numbersIn(account, ['balance', 'nonce'])]
    }),
  )
}

/** Block overrides, as geth takes them. */
export function blockFieldsOf(value: unknown): BlockOverride {
  return numbersIn(value, ['number', 'time', 'gasLimit', 'baseFeePerGas', 'blobBaseFee'])
}

/** The object, with its quantities as integers. */
function numbersIn(value: unknown, names: readonly string[]): object {
  if (!isRecord(value)) throw invalidParams(`expected an object, got ${shown(value)}`)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => isGiven(field))
      .map(([name, field]) => [name, names.includes(name) ? quantity(field, name) : field]),
  )
}
