/** Errors as EIP-1193 wants them: a numeric code, and in `data` what the library knows. */

import {
  type ErrorCode,
  InputError,
  PlatformError,
  ProofError,
  RpcError,
  TransportError,
  UnavailableError,
  type UnavailableErrorCode,
} from '../errors.js'
import type { Evidence } from '../file.js'

/**
 * Numeric codes of {@link ProviderRpcError}: those of EIP-1193, EIP-1474 and EIP-3326, and `invalidProof`, which is this
 * library's: a node sent a proof that does not hold, and no other node sent a good one.
 */
export const RPC_CODES = {
  unauthorized: 4100,
  unsupportedMethod: 4200,
  disconnected: 4900,
  chainDisconnected: 4901,
  unrecognizedChain: 4902,
  invalidRequest: -32600,
  invalidParams: -32602,
  internal: -32603,
  resourceNotFound: -32001,
  resourceUnavailable: -32002,
  methodNotSupported: -32004,
  limitExceeded: -32005,
  invalidProof: -32070,
} as const

/** One of {@link RPC_CODES}. */
export type RpcCode = (typeof RPC_CODES)[keyof typeof RPC_CODES]

/** What a {@link ProviderRpcError} of this library carries in `data`. */
export interface RpcErrorData {
  /** The code of this library's own error, or `unprovable`: no proof of this exists. */
  readonly code: ErrorCode | 'unprovable'
  /** The node that lied, where one did. */
  readonly node?: string
  /** The bad proofs, as files that anybody can check. */
  readonly evidence?: readonly Evidence[]
}

/** An error of a provider, of the shape that EIP-1193 names. Where the node itself refused, code and data are the node's. */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError'
  readonly code: number
  /** {@link RpcErrorData}, or what the node sent with its error. */
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.data = data
  }
}

const CODES: Readonly<Record<UnavailableErrorCode, RpcCode>> = {
  untrusted: RPC_CODES.resourceUnavailable,
  walk: RPC_CODES.resourceUnavailable,
  block: RPC_CODES.resourceNotFound,
  window: RPC_CODES.resourceUnavailable,
  shard: RPC_CODES.resourceUnavailable,
  chain: RPC_CODES.chainDisconnected,
  unsupported: RPC_CODES.methodNotSupported,
  limit: RPC_CODES.limitExceeded,
  node: RPC_CODES.resourceUnavailable,
  unreachable: RPC_CODES.disconnected,
  checkpoint: RPC_CODES.resourceUnavailable,
  expired: RPC_CODES.resourceUnavailable,
  stale: RPC_CODES.resourceUnavailable,
  clock: RPC_CODES.resourceUnavailable,
}

/** The refusal of a question to which no proof exists. */
export function unprovable(message: string): ProviderRpcError {
  return new ProviderRpcError(RPC_CODES.unsupportedMethod, message, { code: 'unprovable' })
}

/** The error for malformed parameters. */
export function invalidParams(problem: string): ProviderRpcError {
  return new ProviderRpcError(RPC_CODES.invalidParams, problem, { code: 'input.option' })
}

/** Any error, as a provider may throw it; the error itself is its cause. */
export function toRpcError(cause: unknown, evidence: readonly Evidence[] = []): ProviderRpcError {
  if (cause instanceof ProviderRpcError) return cause
  const options = { cause }
  if (cause instanceof RpcError) {
    return new ProviderRpcError(cause.rpcCode, cause.message, cause.data, options)
  }
  const message = cause instanceof Error ? cause.message : String(cause)
  const make = (code: RpcCode, data?: RpcErrorData): ProviderRpcError =>
    new ProviderRpcError(code, message, data, options)
  if (cause instanceof InputError) return make(RPC_CODES.invalidParams, { code: cause.code })
  if (cause instanceof ProofError) {
    const { code, node } = cause
    const data = { code, ...(node === undefined ? {} : { node }), evidence }
    return make(RPC_CODES.invalidProof, data)
  }
  if (cause instanceof UnavailableError) return make(CODES[cause.code], { code: cause.code })
  if (cause instanceof TransportError) return make(RPC_CODES.disconnected, { code: cause.code })
  if (cause instanceof PlatformError) return make(RPC_CODES.internal, { code: cause.code })
  return make(RPC_CODES.internal)
}
