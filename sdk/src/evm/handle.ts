/** `eth_call` and its like, as JSON-RPC has them. */

import { blockOf } from '../adapters/blockTag.js'
import type { Answer, Ask } from '../adapters/methods.js'
import { invalidParams, ProviderRpcError, toRpcError, unprovable } from '../adapters/rpcError.js'
import { fromQuantity, toQuantity } from '../encoding/hex.js'
import { isRecord, shown } from '../encoding/input.js'
import type { Json } from '../result/json.js'
import { call } from './call.js'
import { createAccessList } from './createAccessList.js'
import type { CallError } from './error.js'
import { estimateGas } from './estimateGas.js'
import { accessListOf } from './outcome.js'
import type { BlockOverride, StateOverride } from './overrides.js'
import { LIMITS } from './request.js'
import type { CallParameters, CallResult } from './types.js'

/** Codes of geth, which libraries know: a revert, and any other failure of a call. */
const CODES = { 'call.reverted': 3, 'call.halted': -32000, 'call.refused': -32000 } as const

/**
 * Answers one of the extension's methods.
 *
 * @throws ProviderRpcError 3 with the contract's data for a call that reverted, as geth does.
 */
export async function handle(method: string, ask: Ask): Promise<Answer> {
  const { client } = ask
  const parameters = parametersOf(ask)
  switch (method) {
    case 'eth_call':
      return settle(await call(client, parameters), ({ output }) => output)
    case 'eth_estimateGas':
      return settle(await estimateGas(client, parameters), toQuantity)
    case 'eth_createAccessList': {
      const result = await createAccessList(client, parameters)
      if (result.status !== 'reverted') {
        return settle(result, ({ accessList, gasUsed }) => {
          return { accessList: json(accessList), gasUsed: toQuantity(gasUsed) }
        })
      }
      const { accessed, gasUsed, error, trust } = result
      const accessList = json(accessListOf(accessed, parameters))
      return { result: { accessList, gasUsed: toQuantity(gasUsed), error: wordsOf(error) }, trust }
    }
    default:
      throw unprovable(`${method} is none of this extension's methods`)
  }
}

function settle<V>(result: CallResult<V>, toJson: (value: V) => Json): Answer {
  switch (result.status) {
    case 'success':
      return { result: toJson(result.value), trust: result.trust }
    case 'reverted': {
      const { error } = result
      const cause = { cause: error }
      throw new ProviderRpcError(CODES[error.code], wordsOf(error), error.data, cause)
    }
    default:
      throw toRpcError(result.error, result.status === 'invalid' ? result.evidence : [])
  }
}

/** As geth words it: libraries look for these words. */
function wordsOf({ code, reason, message }: CallError): string {
  if (code !== 'call.reverted') return message
  return reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`
}

/** Of a transaction, what no call has. */
const REFUSED = ['authorizationList', 'blobVersionedHashes', 'blobs', 'maxFeePerBlobGas'] as const

/** `[transaction, block, state overrides, block overrides]`. */
function parametersOf({ client, params, signal }: Ask): CallParameters {
  const [transaction, block, state, altered] = params
  if (!isRecord(transaction)) {
    throw invalidParams(`expected a transaction, got ${shown(transaction)}`)
  }
  const refused = REFUSED.find((name) => transaction[name] !== undefined)
  if (refused !== undefined) throw unprovable(`calls with ${refused} are not run here`)
  const { to, from, data, input = data, value, gas, gasPrice, accessList } = transaction
  const at = blockOf(client, block)
  const amount = (given: unknown, name: string): bigint => quantity(given, name)
  // Sound: the action itself looks at everything that is passed on as it came.
  return {
    ...(isGiven(to) && { to }),
    ...(isGiven(from) && { from }),
    ...(isGiven(input) && { data: input }),
    ...(isGiven(value) && { value: amount(value, 'value') }),
    ...(isGiven(gas) && { gas: capped(amount(gas, 'gas')) }),
    ...(isGiven(gasPrice) && { gasPrice: amount(gasPrice, 'gasPrice') }),
    ...(isGiven(accessList) && { accessList }),
    ...(isGiven(state) && { stateOverride: stateOf(state) }),
    ...(isGiven(altered) && { blockOverride: blockFieldsOf(altered) }),
    ...(at !== undefined && { at }),
    signal,
  } as CallParameters
}

/** As nodes do: more is taken for the most that a call may use. */
function capped(gas: bigint): bigint {
  if (gas > LIMITS.gas) return LIMITS.gas
  return gas
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

function quantity(value: unknown, name: string): bigint {
  const number = fromQuantity(value)
  if (number === undefined) throw invalidParams(`expected ${name} in hex, got ${shown(value)}`)
  return number
}

function stateOf(value: unknown): StateOverride {
  if (!isRecord(value)) throw invalidParams(`expected overrides by address, got ${shown(value)}`)
  return Object.fromEntries(
    Object.entries(value).map(([address, account]) => {
      return [address, numbersIn(account, ['balance', 'nonce'])]
    }),
  )
}

function blockFieldsOf(value: unknown): BlockOverride {
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

function json(
  list: readonly { readonly address: string; readonly storageKeys: readonly string[] }[],
): Json {
  return list.map(({ address, storageKeys }) => ({ address, storageKeys: [...storageKeys] }))
}
