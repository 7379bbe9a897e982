/** How much a caller asks of each method. */

import { isRecord, shown } from '../encoding/input.js'
import { InputError } from '../errors.js'
import { METHODS } from './methods.js'
import { type ProviderRpcError, unprovable } from './rpcError.js'

/**
 * - `require`: proven, or an error.
 * - `prefer`: proven where that can be had; else the first node's word. A proof that does not hold is an error all the
 *   same: who lied once is not believed for it.
 * - `off`: the first node's word.
 */
export type Verify = 'require' | 'prefer' | 'off'

/** One for all methods that can be proven, or one by one by method; those left out are `require`. */
export type VerifyOption = Verify | { readonly [method: string]: Verify }

/** Passed on unless the caller says otherwise: it tells the node something, and believes nothing. */
export const SEND_RAW = 'eth_sendRawTransaction'

/**
 * The policy of each method.
 *
 * @throws {@link InputError}
 */
export function parsePolicy(option: unknown = 'require'): (method: string) => Verify {
  if (isVerify(option)) {
    return (method) => (METHODS.has(method) ? option : fallback(method))
  }
  if (!isRecord(option)) throw malformed('verify', option)
  const policies = new Map<string, Verify>()
  for (const [method, policy] of Object.entries(option)) {
    if (!isVerify(policy)) throw malformed(`verify.${method}`, policy)
    policies.set(method, policy)
  }
  return (method) => policies.get(method) ?? fallback(method)
}

function fallback(method: string): Verify {
  return method === SEND_RAW ? 'off' : 'require'
}

function isVerify(value: unknown): value is Verify {
  return value === 'require' || value === 'prefer' || value === 'off'
}

function malformed(argument: string, value: unknown): InputError {
  const problem = `expected "require", "prefer" or "off", got ${shown(value)}`
  return new InputError('input.option', argument, problem)
}

const KEYS = /^(eth_(send|sign)|personal_|wallet_)/

/** Why a method that cannot be proven is refused, and what allows it. */
export function refusalOf(method: string): ProviderRpcError {
  if (KEYS.test(method) && method !== SEND_RAW) {
    return unprovable(`${method} is for a wallet: this provider reads the chain and holds no keys`)
  }
  const fix = `to take a node's word for it, give the provider verify: { ${method}: 'off' }`
  return unprovable(`no proof answers ${method}, so it is refused; ${fix}`)
}
