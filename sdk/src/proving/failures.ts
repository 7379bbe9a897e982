/** Errors of those who were asked, node after node, and what they amount to. */

import {
  PlatformError,
  ProofError,
  RpcError,
  type RpcErrorCode,
  TransportError,
  UnavailableError,
  type UnavailableErrorCode,
} from '../result/errors.js'
import type { Evidence } from '../result/file.js'
import type { Invalid, Tried, Unavailable } from '../result/result.js'

/** What a node, or the way to it, can do wrong. A {@link PlatformError} is a trap on its bytes. */
export type NodeError = ProofError | TransportError | RpcError | UnavailableError | PlatformError

/** The failures of one action. */
export class Failures {
  readonly errors: NodeError[] = []
  readonly tried: Tried[] = []

  /** Returns the error as it is reported: a bad proof names the node. */
  add(error: NodeError, node: string): NodeError {
    const reported = error instanceof ProofError ? blame(error, node) : error
    this.errors.push(reported)
    this.tried.push({ node, code: error.code })
    return reported
  }

  /** A bad proof gives invalid, else all of it is unavailable. */
  outcome(evidence: readonly Evidence[]): Invalid | Unavailable {
    const { errors, tried } = this
    const bad = errors.find((error) => error instanceof ProofError)
    if (bad !== undefined) return { status: 'invalid', error: bad, evidence }
    return { status: 'unavailable', error: summary(errors, tried), tried }
  }
}

/** Is it the fault of one node, so that another may do better? */
export function isNodeError(error: unknown): error is NodeError {
  return (
    error instanceof ProofError ||
    error instanceof TransportError ||
    error instanceof RpcError ||
    error instanceof UnavailableError ||
    isTrap(error)
  )
}

/**
 * Did a module stop without a verdict? Other bytes may not stop it, and nobody was caught lying.
 */
export function isTrap(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.code === 'platform.trap'
}

function blame(error: ProofError, node: string): ProofError {
  return new ProofError(error.code, `invalid proof from ${node}: ${error.message}`, {
    span: error.span,
    node,
    cause: error,
  })
}

/** Most telling first. */
const RANK: readonly UnavailableErrorCode[] = [
  'chain.fork',
  'expired',
  'clock',
  'stale',
  'deadline',
  'untrusted',
  'walk',
  'checkpoint',
  'window',
  'block',
  'shard',
  'unsupported',
  'chain',
  'limit',
  'node',
  'unreachable',
]

const MEANINGS: Readonly<Partial<Record<RpcErrorCode, UnavailableErrorCode>>> = {
  'rpc.method': 'unsupported',
  'rpc.system': 'unsupported',
  'rpc.variant': 'unsupported',
  'rpc.shard': 'shard',
  'rpc.limit': 'limit',
  'rpc.block': 'block',
  'rpc.window': 'window',
}

/** What a failure says of the question. */
export function codeOf(error: NodeError): UnavailableErrorCode {
  if (error instanceof UnavailableError) return error.code
  if (error instanceof TransportError) return 'unreachable'
  return (error instanceof RpcError && MEANINGS[error.code]) || 'node'
}

function summary(errors: readonly NodeError[], tried: readonly Tried[]): UnavailableError {
  const ranked = [...errors].sort((a, b) => RANK.indexOf(codeOf(a)) - RANK.indexOf(codeOf(b)))
  const [cause] = ranked
  if (cause === undefined) return new UnavailableError('unreachable', 'no node was asked')
  const asked = tried.map(({ node, code }) => `${node} (${code})`).join(', ')
  const problem = tried.length > 1 ? `${cause.message}; asked ${asked}` : cause.message
  return new UnavailableError(codeOf(cause), problem, { cause })
}
