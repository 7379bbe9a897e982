/**
 * Contracts by their ABI, in viem's shape: viem encodes and decodes, the call runs here on proven
 * state.
 */

import {
  type Abi,
  type AbiStateMutability,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionParameters,
  type ContractFunctionReturnType,
  decodeErrorResult,
  decodeFunctionResult,
  encodeFunctionData,
  type MulticallContracts,
  type MulticallResults,
} from 'viem'
import { parseParameters } from '../actions/parameters.js'
import type { Client } from '../client/client.js'
import type { Hex } from '../encoding/hex.js'
import { isRecord, shown } from '../encoding/input.js'
import { calls } from '../evm/calls.js'
import { CallError } from '../evm/error.js'
import type {
  CallOutcome,
  CallRequest,
  CallResult,
  Reverted,
  RunParameters,
  Succeeded,
} from '../evm/types.js'
import { InputError } from '../result/errors.js'
import type { Grounded, Invalid, Unavailable } from '../result/result.js'

/** What a caller may say of a read beside the function and its arguments. */
export interface ReadParameters
  extends RunParameters,
    Pick<CallRequest, 'from' | 'value' | 'gas' | 'gasPrice'> {}

/** Parameters of {@link multicall}. */
export interface MulticallParameters<C extends readonly unknown[]> extends RunParameters {
  /** From 1 to 1,024, each of viem's shape. */
  readonly contracts: MulticallContracts<C, { mutability: AbiStateMutability }>
}

/** What comes of each read, in their order; or why nothing is known. */
export type MulticallResult<C extends readonly unknown[]> =
  | Grounded<{
      readonly status: 'proven'
      readonly value: ReadOutcomes<MulticallResults<C, false>>
    }>
  | Invalid
  | Unavailable

/** An outcome for each value. */
export type ReadOutcomes<R> = { readonly [key in keyof R]: Succeeded<R[key]> | Reverted }

const RUN = ['at', 'signal', 'onProgress', 'stateOverride', 'blockOverride'] as const
const READ = ['address', 'abi', 'functionName', 'args'] as const
const CALL = ['from', 'value', 'gas', 'gasPrice'] as const

/**
 * Reads a contract: the value that its function returns on proven state.
 *
 * @example
 * const result = await readContract(client, { address, abi: erc20Abi, functionName: 'balanceOf',
 * args: [owner] })
 *
 * @returns success with the value, reverted (with the name of the ABI's own error), invalid or
 *   unavailable.
 * @throws InputError, what viem throws for arguments that are not of the ABI, PlatformError, or the
 *   reason of an aborted signal.
 */
export async function readContract<
  const A extends Abi | readonly unknown[],
  F extends ContractFunctionName<A, 'pure' | 'view'>,
  const G extends ContractFunctionArgs<A, 'pure' | 'view', F>,
>(
  client: Client,
  parameters: ContractFunctionParameters<A, 'pure' | 'view', F, G> & ReadParameters,
): Promise<CallResult<ContractFunctionReturnType<A, 'pure' | 'view', F, G>>> {
  type Value = ContractFunctionReturnType<A, 'pure' | 'view', F, G>
  const given = parseParameters(client, parameters, [...READ, ...RUN, ...CALL])
  const { address, abi, functionName, args, ...others } = given
  const read = parseRead({ address, abi, functionName, args }, 'parameters')
  const { at, signal, onProgress, stateOverride, blockOverride, ...request } = others
  const run = { at, signal, onProgress, stateOverride, blockOverride } as RunParameters
  const result = await calls(client, {
    ...run,
    calls: [{ ...(request as CallRequest), ...encode(read) }],
  })
  if (result.status !== 'proven') return result
  const outcome = decode(read, result.value[0])
  // Sound: viem decodes what its own types say.
  return { ...(outcome as Succeeded<Value> | Reverted), trust: result.trust }
}

/**
 * Reads many contracts at one block, in one run.
 *
 * @returns proven with the outcome of each; invalid or unavailable.
 * @throws as {@link readContract}.
 */
export async function multicall<const C extends readonly unknown[]>(
  client: Client,
  parameters: MulticallParameters<C>,
): Promise<MulticallResult<C>> {
  const { contracts, ...run } = parseParameters(client, parameters, ['contracts', ...RUN])
  if (!Array.isArray(contracts)) {
    throw new InputError('input.option', 'contracts', `expected a list, got ${shown(contracts)}`)
  }
  const reads = contracts.map((one: unknown, i) => parseRead(one, `contracts[${i}]`))
  const result = await calls(client, { ...(run as RunParameters), calls: reads.map(encode) })
  if (result.status !== 'proven') return result
  const value = reads.map((read, i) => decode(read, result.value[i]))
  // Sound: in the contracts' order, each as viem's own types say.
  return { ...result, value: value as unknown as ReadOutcomes<MulticallResults<C, false>> }
}

/** A function of a contract, with its arguments. */
interface Read {
  readonly address: string
  readonly abi: Abi
  readonly functionName: string
  readonly args: readonly unknown[]
}

function parseRead(value: unknown, argument: string): Read {
  const { address, abi, functionName, args = [] } = isRecord(value) ? value : {}
  const isRead = typeof address === 'string' && typeof functionName === 'string'
  if (isRead && Array.isArray(abi) && Array.isArray(args)) {
    // viem looks at what is in it.
    return { address, abi: abi as Abi, functionName, args }
  }
  const wanted = '{ address, abi, functionName, args? }'
  throw new InputError('input.option', argument, `expected ${wanted}, got ${shown(value)}`)
}

function encode({ address, abi, functionName, args }: Read): { to: string; data: Hex } {
  return { to: address, data: encodeFunctionData({ abi, functionName, args }) }
}

function decode(
  { abi, functionName, args }: Read,
  outcome: Succeeded<CallOutcome> | Reverted | undefined,
): Succeeded<unknown> | Reverted {
  if (outcome === undefined) throw new TypeError('the core answered another question')
  if (outcome.status === 'reverted') return { ...outcome, error: named(abi, outcome.error) }
  const { output: data, gasUsed, accessed } = outcome.value
  try {
    const value = decodeFunctionResult({ abi, functionName, args, data })
    return { status: 'success', value }
  } catch {
    const problem = `no such contract: its answer is not what ${functionName} returns`
    const error = new CallError('call.reverted', data, problem)
    return { status: 'reverted', error, gasUsed, accessed }
  }
}

/** With the ABI's name for it, if it is an error of its own. */
function named(abi: Abi, error: CallError): CallError {
  if (error.code !== 'call.reverted' || error.reason !== undefined) return error
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi, data: error.data })
    const words = `${errorName}(${(args as readonly unknown[]).map(String).join(', ')})`
    return new CallError('call.reverted', error.data, words)
  } catch {
    return error
  }
}
