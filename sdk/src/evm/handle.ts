/** `eth_call` and its like, as JSON-RPC has them. */

import { blockOf } from '../adapters/blockTag.js'
import type { Answer, Ask } from '../adapters/methods.js'
import { ProviderRpcError, toRpcError, unprovable } from '../adapters/rpcError.js'
import { toQuantity } from '../encoding/hex.js'
import { printable } from '../encoding/printable.js'
import type { Json } from '../result/json.js'
import { call } from './call.js'
import { createAccessList } from './createAccessList.js'
import { estimateGas } from './estimateGas.js'
import { accessListOf } from './outcome.js'
import { blockFieldsOf, CODES, callOf, isGiven, stateOf, wordsOf } from './rpcCall.js'
import { simulateV1 } from './simulateV1.js'
import type { CallParameters, CallResult } from './types.js'

/**
 * Answers one of the extension's methods.
 *
 * @throws ProviderRpcError 3 with the contract's data for a call that reverted, as geth does.
 */
export async function handle(method: string, ask: Ask): Promise<Answer> {
  if (method === 'eth_simulateV1') return simulateV1(ask)
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
      throw unprovable(`${printable(method)} is not a method of this extension`)
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

/** `[transaction, block, state overrides, block overrides]`. */
function parametersOf({ client, params, signal }: Ask): CallParameters {
  const [transaction, block, state, altered] = params
  const call = callOf(transaction)
  const at = blockOf(client, block)
  return {
    ...call,
    ...(isGiven(state) && { stateOverride: stateOf(state) }),
    ...(isGiven(altered) && { blockOverride: blockFieldsOf(altered) }),
    ...(at !== undefined && { at }),
    signal,
  }
}

function json(
  list: readonly { readonly address: string; readonly storageKeys: readonly string[] }[],
): Json {
  return list.map(({ address, storageKeys }) => ({ address, storageKeys: [...storageKeys] }))
}
