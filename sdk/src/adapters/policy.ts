/** How much a caller asks of each method. */

import { isRecord, shown } from '../encoding/input.js'
import { InputError } from '../result/errors.js'
import type { Method } from './methods.js'
import { type ProviderRpcError, unprovable } from './rpcError.js'

/**
 * - `require`: proven, or an error.
 * - `prefer`: proven if any node proves it; else a node's word. Any node can refuse to prove, so `prefer` needs a listener
 *   `onAnswer`, which is told that the answer is not proven, and why. A proof that does not hold is an error all the same.
 * - `off`: a node's word.
 *
 * A node that sent a bad proof is not believed by `prefer` or `off`. Methods about identity, keys and configuration are
 * answered or refused here, whatever their policy.
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
export function parsePolicy(
  option: unknown,
  methods: ReadonlyMap<string, Method>,
): (method: string) => Verify {
  const given = parseOption(option ?? 'require', methods)
  return (method) => (methods.get(method)?.isOwn ? 'require' : given(method))
}

/** Is any method's policy `prefer`? */
export function prefers(option: unknown): boolean {
  return option === 'prefer' || (isRecord(option) && Object.values(option).includes('prefer'))
}

function parseOption(
  option: unknown,
  methods: ReadonlyMap<string, Method>,
): (method: string) => Verify {
  if (isVerify(option)) {
    return (method) => (methods.has(method) ? option : fallback(method))
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

/** For the wallet that holds the keys, or for whoever runs the node: no answer of a node's to these is of use to anybody else. */
const NEVER_SENT =
  /^(eth_(send(?!RawTransaction$)|sign|coinbase$|decrypt|getEncryptionPublicKey)|(personal|wallet|account|admin|engine|miner|clique)_)/

/**
 * The refusal of a method that goes to no node, whatever its policy.
 *
 * @returns undefined for any other method.
 */
export function refusalOfKeys(method: string): ProviderRpcError | undefined {
  if (!NEVER_SENT.test(method)) return undefined
  const problem = 'this provider reads the chain and holds no keys; it sends eth_sendRawTransaction'
  return unprovable(`${method} is for a wallet: ${problem}`)
}

/** Proven by the extension of `lightproof/evm`. */
const CALLS = /^eth_(call|estimateGas|createAccessList|simulateV1)$/

/** Why a method that cannot be proven is refused, and what allows it. */
export function refusalOf(method: string): ProviderRpcError {
  const proof = CALLS.test(method)
    ? 'to prove it, give the provider extensions: [evm()], from lightproof/evm; '
    : ''
  const fix = `${proof}to take a node's word for it, verify: { ${method}: 'off' }`
  const why = method === 'eth_call' ? '; native balances are proven all the same' : ''
  return unprovable(`no proof answers ${method}, so it is refused; ${fix}${why}`)
}
