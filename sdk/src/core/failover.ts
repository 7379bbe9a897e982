/** Ask node after node: any proven answer wins; else a bad proof gives invalid; else unavailable. */

import type { Client } from '../client.js'
import {
  ProofError,
  RpcError,
  type RpcErrorCode,
  TransportError,
  UnavailableError,
  type UnavailableErrorCode,
} from '../errors.js'
import type { ProofFile } from '../file.js'
import type { Invalid, Tried, Unavailable } from '../result.js'
import type { Session } from './nodes.js'

/** What one node proved, and which ones did not. */
export interface Success<T> {
  readonly status: 'proven'
  readonly value: T
  readonly servedBy: string
  readonly tried: readonly Tried[]
}

/** Asks one node; puts its bad proof into the session's evidence before it throws. */
export type Attempt<T> = (session: Session) => Promise<T>

type NodeError = ProofError | TransportError | RpcError | UnavailableError

/**
 * Runs the attempt at each node in turn.
 *
 * @throws the signal's reason, InputError, PlatformError: no other node could do better.
 */
export async function failover<T>(
  client: Client,
  signal: AbortSignal | undefined,
  attempt: Attempt<T>,
): Promise<Success<T> | Invalid | Unavailable> {
  const errors: NodeError[] = []
  const tried: Tried[] = []
  const evidence: ProofFile[] = []
  for (const node of client.nodes) {
    signal?.throwIfAborted()
    try {
      const value = await attempt({ client, node, signal, evidence })
      return { status: 'proven', value, servedBy: node.name, tried }
    } catch (error) {
      signal?.throwIfAborted()
      if (!isNodeError(error)) throw error
      errors.push(error instanceof ProofError ? blame(error, node.name) : error)
      tried.push({ node: node.name, code: error.code })
      // What follows from verified headers is the same at every node.
      if (error.code === 'untrusted' || error.code === 'walk') break
    }
  }
  const bad = errors.find((error) => error instanceof ProofError)
  if (bad !== undefined) return { status: 'invalid', error: bad, evidence }
  return { status: 'unavailable', error: summary(errors, tried), tried }
}

function isNodeError(error: unknown): error is NodeError {
  return (
    error instanceof ProofError ||
    error instanceof TransportError ||
    error instanceof RpcError ||
    error instanceof UnavailableError
  )
}

function blame(error: ProofError, node: string): ProofError {
  return new ProofError(error.code, `${node} sent a bad proof: ${error.message}`, {
    span: error.span,
    node,
    cause: error,
  })
}

/** Most telling first. */
const RANK: readonly UnavailableErrorCode[] = [
  'untrusted',
  'walk',
  'window',
  'block',
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
  'rpc.limit': 'limit',
  'rpc.block': 'block',
  'rpc.window': 'window',
}

function codeOf(error: NodeError): UnavailableErrorCode {
  if (error instanceof UnavailableError) return error.code
  return error instanceof RpcError ? (MEANINGS[error.code] ?? 'node') : 'unreachable'
}

function summary(errors: readonly NodeError[], tried: readonly Tried[]): UnavailableError {
  const ranked = [...errors].sort((a, b) => RANK.indexOf(codeOf(a)) - RANK.indexOf(codeOf(b)))
  const [cause] = ranked
  if (cause === undefined) return new UnavailableError('unreachable', 'no node was asked')
  const asked = tried.map(({ node, code }) => `${node} (${code})`).join(', ')
  const problem = tried.length > 1 ? `${cause.message}; asked ${asked}` : cause.message
  return new UnavailableError(codeOf(cause), problem, { cause })
}
