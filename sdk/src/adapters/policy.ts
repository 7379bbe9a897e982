/** How much a caller asks of each method. */

import { isRecord, shown } from '../encoding/input.js'
import { printable } from '../encoding/printable.js'
import { InputError } from '../result/errors.js'
import type { Method } from './methods.js'
import { type ProviderRpcError, unprovable } from './rpcError.js'

/**
 * - `require`: proven, or an error.
 * - `prefer`: proven if any node proves it; else a node's word. Any node can refuse to prove, so
 *   `prefer` needs a listener `onAnswer`, which is told that the answer is not proven, and why. A
 *   proof that does not hold is an error all the same.
 * - `off`: a node's word.
 *
 * A node that sent a bad proof is not believed by `prefer` or `off`. Methods about identity, keys
 * and configuration are answered or refused here, whatever their policy.
 */
export type Verify = 'require' | 'prefer' | 'off'

/**
 * One for all methods that can be proven; or one by one by method, with `'*'` for all that are not
 * named (else they are `require`). `'*'` says nothing of `eth_sendRawTransaction`, which believes
 * no node. Two presets:
 *
 * - `strict`: `require` for all, as by default.
 * - `dapp`: `require` for all that can be proven. Of what cannot, a node's word is taken where the
 *   worst that a lie does is a wrong fee: gas estimates and access lists without `evm()`, and
 *   `eth_blobBaseFee`. Calls stay refused without `evm()`.
 */
export type VerifyOption = Verify | 'strict' | 'dapp' | { readonly [method: string]: Verify }

/**
 * Passed on unless the caller says otherwise: it tells the node something, and believes nothing.
 */
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
  if (option === 'strict') return fallback
  if (option === 'dapp') {
    return (method) => (!methods.has(method) && HARMLESS.has(method) ? 'off' : fallback(method))
  }
  if (isVerify(option)) {
    return (method) => (methods.has(method) ? option : fallback(method))
  }
  if (!isRecord(option)) throw malformed('verify', option)
  const policies = new Map<string, Verify>()
  for (const [method, policy] of Object.entries(option)) {
    if (!isVerify(policy)) throw malformed(`verify.${method}`, policy)
    if (method !== ALL && !isKnown(method, methods)) throw unknown(method)
    policies.set(method, policy)
  }
  const others = policies.get(ALL)
  return (method) =>
    policies.get(method) ?? (method === SEND_RAW ? 'off' : (others ?? fallback(method)))
}

/** In `verify`: all methods that are not named. */
const ALL = '*'

/** Lies about these cost a fee at most. */
const HARMLESS: ReadonlySet<string> = new Set([
  'eth_estimateGas',
  'eth_createAccessList',
  'eth_blobBaseFee',
])

/** Methods of nodes that are neither proven nor answered here. */
const OF_NODES: ReadonlySet<string> = new Set([
  'eth_baseFee',
  'eth_call',
  'eth_callMany',
  'eth_config',
  'eth_createAccessList',
  'eth_estimateGas',
  'eth_blobBaseFee',
  'eth_fillTransaction',
  'eth_getAccount',
  'eth_getBlockAccessList',
  'eth_getRawTransactionByBlockHashAndIndex',
  'eth_getRawTransactionByBlockNumberAndIndex',
  'eth_getRawTransactionByHash',
  'eth_getTransactionBySenderAndNonce',
  'eth_hashrate',
  'eth_mining',
  'eth_newPendingTransactionFilter',
  'eth_pendingTransactions',
  'eth_protocolVersion',
  SEND_RAW,
  'eth_sendRawTransactionSync',
  'eth_simulateV1',
  'net_peerCount',
])
/**
 * Namespaces whose methods are all known; of others, such as `debug_` or a service's own, nobody
 * knows all.
 */
const STANDARD = /^(eth|net|web3)_/
const METHOD = /^[a-z][a-zA-Z0-9]*_\w+$/

function isKnown(method: string, methods: ReadonlyMap<string, Method>): boolean {
  if (methods.has(method) || OF_NODES.has(method) || NEVER_SENT.test(method)) return true
  return METHOD.test(method) && !STANDARD.test(method)
}

function unknown(method: string): InputError {
  const problem = 'no such method, so the policy would have no effect; provider.methods lists names'
  return new InputError('input.option', `verify.${method}`, problem)
}

function fallback(method: string): Verify {
  return method === SEND_RAW ? 'off' : 'require'
}

function isVerify(value: unknown): value is Verify {
  return value === 'require' || value === 'prefer' || value === 'off'
}

function malformed(argument: string, value: unknown): InputError {
  const presets = argument === 'verify' ? ', "strict", "dapp"' : ''
  const problem = `expected "require", "prefer"${presets} or "off", got ${shown(value)}`
  return new InputError('input.option', argument, problem)
}

/**
 * For the wallet that holds the keys, or for whoever runs the node: no answer of a node's to these
 * is of use to anybody else.
 */
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
  return unprovable(`${printable(method)} is for a wallet: ${problem}`)
}

/** Proven by the extension of `lightproof/evm`. */
const CALLS = /^eth_(call|estimateGas|createAccessList|simulateV1)$/

/** Why a method that cannot be proven is refused, and what allows it. */
export function refusalOf(method: string): ProviderRpcError {
  const fix = CALLS.test(method)
    ? 'to prove it, give the provider extensions: [evm()], from lightproof/evm'
    : `to take a node's word for it, which may be false, verify: { ${printable(method)}: 'off' }`
  const why = method === 'eth_call' ? '; native balances are proven all the same' : ''
  return unprovable(`no proof answers ${printable(method)}, so it is refused; ${fix}${why}`)
}
