/** Names of ENS, both ways, by the Universal Resolver's own code on proven state. */

import { parseParameters } from '../actions/parameters.js'
import type { Client } from '../client/client.js'
import { bytesOf, type Hex, toHex } from '../encoding/hex.js'
import { parseAddress, shown } from '../encoding/input.js'
import { InputError, UnavailableError } from '../result/errors.js'
import type { Trust } from '../result/result.js'
import { type HashModule, loadHash } from '../wasm/module.js'
import { addressAt, bytesAt, encodeCall, textOf } from './abi.js'
import { type Normalize, nodeOf, normalized, packetOf, parseName } from './ensName.js'
import { CallError } from './error.js'
import { type GatewayOptions, parseGateways } from './gateway.js'
import { callThrough, type LookupTerms } from './offchain.js'
import type { CallResult, RunParameters } from './types.js'

/** What both directions take. */
export interface EnsParameters extends RunParameters {
  /** The contract that resolves. Default ENS's own, on mainnet and Sepolia. */
  readonly universalResolver?: string
  /**
   * May gateways be asked that contracts name (EIP-3668)? They learn what is looked up. What they
   * send counts only as far as the contract's own callback accepts it. Default no: such names are
   * `unavailable`, with code `unsupported`.
   */
  readonly ccipRead?: boolean | GatewayOptions
  /**
   * Puts names in their one form (ENSIP-15), such as `normalize` of `viem/ens`. Without it names
   * are of ASCII.
   */
  readonly normalize?: Normalize
}

/** A name. */
export interface ResolveNameParameters extends EnsParameters {
  readonly name: string
}

/** An address. */
export interface LookupAddressParameters extends EnsParameters {
  readonly address: string
}

/** Where a name leads. */
export interface ResolvedName {
  /** Undefined if the name has none: that is proven too. */
  readonly address: Hex | undefined
  /**
   * Origins of the gateways whose answers its resolver accepted; none if all of it is on the chain.
   */
  readonly gateways: readonly string[]
}

/** The name that an address goes by. */
export interface PrimaryName {
  /** Undefined if it has none, or one that does not lead back to it. */
  readonly name: string | undefined
  /** As of {@link ResolvedName}. */
  readonly gateways: readonly string[]
}

/** ENS's Universal Resolver, by genesis hash: mainnet, Sepolia. */
const ENS = '0xeeeeeeee14d718c2b47d9923deab1335e144eeee'
const RESOLVERS: Readonly<Record<string, Hex>> = {
  '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3': ENS,
  '0x25a5cc106eea7138acab33231d7160d69cb777ee0c2c553fcddf5138993e6dd9': ENS,
}

/** `resolve(bytes,bytes)`, `reverse(bytes,uint256)`, `addr(bytes32)` */
const [RESOLVE, REVERSE, ADDR] = ['0x9061b923', '0x5d78a217', '0x3b3b57de'] as const
/**
 * Errors by which it says that there is nothing: no resolver, one that is no contract, none of such
 * records, a false claim.
 */
const NONE = ['0x77209fe8', '0x1e9535f2', '0x7b1c461b', '0xef9c03ce']
/** Ethereum (SLIP-44). */
const COIN_TYPE = 60n

const OPTIONS = ['universalResolver', 'ccipRead', 'normalize'] as const
const RUN = ['at', 'signal', 'onProgress', 'stateOverride', 'blockOverride'] as const

/** Options of both directions, parsed. */
interface Terms extends LookupTerms {
  readonly resolver: Hex
  readonly normalize: Normalize | undefined
  readonly hash: HashModule
}

/**
 * The Ethereum address of a name.
 *
 * @returns success, with no address if it is proven that the name has none; reverted, invalid or
 *   unavailable.
 * @throws InputError, PlatformError, or the reason of an aborted signal.
 */
export async function resolveName(
  client: Client,
  parameters: ResolveNameParameters,
): Promise<CallResult<ResolvedName>> {
  const given = parseParameters(client, parameters, ['name', ...OPTIONS, ...RUN])
  const terms = await parseTerms(client, given)
  return resolve(client, parseName(given.name, terms.normalize), terms)
}

/**
 * The name that an address goes by: the one that it claims, if that name leads back to the address
 * at the same block.
 *
 * @returns success, with no name if it is proven that there is none that leads back; reverted,
 *   invalid or unavailable.
 * @throws InputError, PlatformError, or the reason of an aborted signal.
 */
export async function lookupAddress(
  client: Client,
  parameters: LookupAddressParameters,
): Promise<CallResult<PrimaryName>> {
  const given = parseParameters(client, parameters, ['address', ...OPTIONS, ...RUN])
  const terms = await parseTerms(client, given)
  const address = parseAddress(given.address, 'address', terms.hash)
  const data = encodeCall(REVERSE, [bytesOf(address), COIN_TYPE])
  const result = await callThrough(client, { to: terms.resolver, data }, terms)
  if (result.status === 'reverted' && isNone(result.error)) {
    return { status: 'success', value: { name: undefined, gateways: [] }, trust: result.trust }
  }
  if (result.status !== 'success') return result
  const { output, gateways } = result.value
  const claimed = textOf(bytesAt(output, 0))
  if (claimed === undefined) return strange(result, output)
  const name = claimed === '' ? undefined : normalized(claimed, terms.normalize)
  if (name === 'unknown') {
    const problem = `the name is not of ASCII: give normalize, such as viem's, to check its form`
    return { status: 'unavailable', error: new UnavailableError('unsupported', problem), tried: [] }
  }
  // A name that is not in its one form may look like another.
  if (name === undefined || name !== claimed) return noName(result, gateways)
  const { number, hash } = result.trust.block
  if (number === null || hash === null) throw new TypeError('calls run in blocks')
  const there = { ...terms, run: { ...terms.run, at: { number, hash } } }
  const back = await resolve(client, name, there)
  if (back.status !== 'success') return back
  const all = [...new Set([...gateways, ...back.value.gateways])]
  if (back.value.address !== address) return noName(back, all)
  return { ...back, value: { name, gateways: all } }
}

function noName(
  { trust }: { readonly trust: Trust },
  gateways: readonly string[],
): CallResult<PrimaryName> {
  return { status: 'success', value: { name: undefined, gateways }, trust }
}

async function resolve(
  client: Client,
  name: string,
  terms: Terms,
): Promise<CallResult<ResolvedName>> {
  const record = bytesOf(encodeCall(ADDR, [BigInt(toHex(nodeOf(name, terms.hash)))]))
  const data = encodeCall(RESOLVE, [packetOf(name), record])
  const result = await callThrough(client, { to: terms.resolver, data }, terms)
  if (result.status === 'reverted' && isNone(result.error)) {
    return { status: 'success', value: { address: undefined, gateways: [] }, trust: result.trust }
  }
  if (result.status !== 'success') return result
  const { output, gateways } = result.value
  const answer = bytesAt(output, 0)
  if (answer === undefined) return strange(result, output)
  const address = answer.length === 0 ? NOBODY : addressAt(answer, 0)
  if (address === undefined) return strange(result, output)
  return {
    ...result,
    value: { address: address === NOBODY ? undefined : address, gateways },
  }
}

const NOBODY = toHex(new Uint8Array(20))

const isNone = ({ data }: CallError): boolean => NONE.includes(data.slice(0, 10))

/** What answers is no Universal Resolver. */
function strange({ trust }: { readonly trust: Trust }, output: Uint8Array): CallResult<never> {
  const problem = 'no universal resolver: its answer is not of the form that one has'
  const error = new CallError('call.reverted', toHex(output), problem)
  return { status: 'reverted', error, gasUsed: 0n, accessed: { accounts: [], blocks: [] }, trust }
}

async function parseTerms(
  client: Client,
  given: { readonly [key in (typeof OPTIONS)[number] | (typeof RUN)[number]]?: unknown },
): Promise<Terms> {
  const hash = await loadHash()
  const { universalResolver = RESOLVERS[client.chain.genesisHash], normalize, ccipRead } = given
  const { at, signal, onProgress, stateOverride, blockOverride } = given
  if (universalResolver === undefined) {
    const problem = `no ENS resolver is known for ${client.chain.name}`
    throw new InputError('input.option', 'universalResolver', problem)
  }
  if (normalize !== undefined && typeof normalize !== 'function') {
    const problem = `expected a function, got ${shown(normalize)}`
    throw new InputError('input.option', 'normalize', problem)
  }
  return {
    hash,
    resolver: parseAddress(universalResolver, 'universalResolver', hash),
    gateways: parseGateways(ccipRead),
    // Sound: what a function takes cannot be looked at.
    normalize: normalize as Normalize | undefined,
    // Sound: the action itself looks at everything that is passed on as it came.
    run: { at, signal, onProgress, stateOverride, blockOverride } as RunParameters,
  }
}
