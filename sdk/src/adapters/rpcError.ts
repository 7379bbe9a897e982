/** Errors as EIP-1193 wants them: a numeric code, and in `data` what the library knows. */

import type { Hex } from '../encoding/hex.js'
import { escaped, printable } from '../encoding/printable.js'
import {
  type ErrorCode,
  InputError,
  PlatformError,
  ProofError,
  RpcError,
  TransportError,
  UnavailableError,
  type UnavailableErrorCode,
} from '../result/errors.js'
import type { Evidence } from '../result/file.js'

/**
 * Numeric codes of {@link ProviderRpcError}: those of EIP-1193, EIP-1474 and EIP-3326, and two of
 * this library's own.
 *
 * - `invalidProof`: a node sent a proof that does not hold, and no other node sent a good one.
 * - `node`: a node refused with a code of its own, which `data.rpcCode` holds. No node can send a
 *   code of this list: only 3 (execution reverted), -32000 and -32003 (transaction rejected) are
 *   passed on as they come.
 * - `platform`: this page or process cannot run the verifier. Not `internal`: viem reads that as a
 *   call that reverted.
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
  node: -32071,
  platform: -32072,
} as const

/** One of {@link RPC_CODES}. */
export type RpcCode = (typeof RPC_CODES)[keyof typeof RPC_CODES]

/** What a {@link ProviderRpcError} of this library carries in `data`. */
export interface RpcErrorData {
  /** The code of this library's own error, or `unprovable`: no proof of this exists. */
  readonly code: ErrorCode | 'unprovable'
  /** The node that lied, or that refused. */
  readonly node?: string
  /** The code that the node sent with its refusal. */
  readonly rpcCode?: number
  /** What the node sent with its refusal. */
  readonly data?: unknown
  /** Hash of the raw transaction that was to be sent: look for it before you send another. */
  readonly hash?: Hex
  /** The bad proofs, as files that anybody can check. */
  readonly evidence?: readonly Evidence[]
}

/** An error of a provider, of the shape that EIP-1193 names. */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError'
  readonly code: number
  /** {@link RpcErrorData}; of a call that reverted, the hex that the node sent. */
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown, options?: ErrorOptions) {
    super(escaped(message), options)
    this.code = code
    this.data = data
  }

  /** The message, as viem's type of errors has it. */
  get details(): string {
    return this.message
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
  'chain.fork': RPC_CODES.resourceUnavailable,
  deadline: RPC_CODES.resourceUnavailable,
}

/** The refusal of a question to which no proof exists. */
export function unprovable(message: string): ProviderRpcError {
  return new ProviderRpcError(RPC_CODES.unsupportedMethod, message, { code: 'unprovable' })
}

/** The error for malformed parameters. */
export function invalidParams(problem: string): ProviderRpcError {
  return new ProviderRpcError(RPC_CODES.invalidParams, problem, { code: 'input.option' })
}

/** Codes that mean something to wallets' libraries, and nothing that this library says. */
export const PASSED_ON: readonly number[] = [3, -32000, -32003]

/** A node's refusal: nothing of it may pass for an error of this library. */
function refusedByNode(cause: RpcError): ProviderRpcError {
  const { code, node, rpcCode, data, message } = cause
  const isRevert = typeof data === 'string' && /^0x[0-9a-f]*$/i.test(data)
  return new ProviderRpcError(
    PASSED_ON.includes(rpcCode) ? rpcCode : RPC_CODES.node,
    message,
    isRevert ? data : ({ code, node, rpcCode, data } satisfies RpcErrorData),
    { cause },
  )
}

/** Any error, as a provider may throw it; the error itself is its cause. */
export function toRpcError(cause: unknown, evidence: readonly Evidence[] = []): ProviderRpcError {
  if (cause instanceof ProviderRpcError) return cause
  const options = { cause }
  if (cause instanceof RpcError) return refusedByNode(cause)
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
  if (cause instanceof PlatformError) return make(RPC_CODES.platform, { code: cause.code })
  // Of the caller's own code, which may have it from strangers.
  return new ProviderRpcError(RPC_CODES.internal, printable(message), undefined, options)
}
