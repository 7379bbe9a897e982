/** Questions that no proof answers: a node's word, passed on where the caller allows it. */

import type { Client } from '../client/client.js'
import { isRecord, shown } from '../encoding/input.js'
import { profileOf } from '../proving/nodes.js'
import { ProofError, RpcError, TransportError, UnavailableError } from '../result/errors.js'
import type { BadProof } from '../result/result.js'
import { noteFailure, ranked } from '../transport/health.js'
import { ProviderRpcError, RPC_CODES } from './rpcError.js'

/** A call, as it came. */
export interface Call {
  readonly method: string
  readonly params: readonly unknown[]
}

/**
 * Asks node after node, until one of the client's chain answers; its answer is unverified. A node
 * that sent a bad proof is not asked: its word is worth nothing.
 *
 * @throws the answer of the last node that was asked, or the signal's reason.
 */
export async function passOn(client: Client, call: Call, signal: AbortSignal): Promise<unknown> {
  const nodes = ranked(client.nodes)
  let last: unknown = noneLeft(nodes[0]?.health.badProof)
  for (const node of nodes.filter(({ health }) => health.badProof === undefined)) {
    try {
      // A node of another chain would answer too.
      await profileOf({ client, node, signal })
      return await node.call(call, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (!mayDoBetterElsewhere(error)) throw error
      noteFailure(node, error, undefined, client.onBadProof)
      last = error
    }
  }
  throw last
}

function noneLeft(bad: BadProof | undefined): Error {
  if (bad === undefined) return new UnavailableError('unreachable', 'no node was asked')
  const { node, error } = bad
  const fix = 'add nodes to the client, or call reinstateNode'
  const problem = `${node} sent a bad proof before, so its unproven answers are not used: ${fix}`
  return new ProofError(error.code, problem, { node, cause: error })
}

/** Might another node answer? Not where this one says what is wrong with the question. */
function mayDoBetterElsewhere(
  error: unknown,
): error is RpcError | TransportError | UnavailableError {
  if (error instanceof RpcError) return error.code === 'rpc.method' || error.code === 'rpc.limit'
  return error instanceof TransportError || error instanceof UnavailableError
}

/** A request as EIP-1193 has it. Parameters by name do not occur in Ethereum's API. */
export function parseCall(request: unknown): Call {
  const { method, params = [] } = isRecord(request) ? request : {}
  if (typeof method !== 'string' || method === '' || !Array.isArray(params)) {
    const problem = `expected { method, params: [...] }, got ${shown(request)}`
    throw new ProviderRpcError(RPC_CODES.invalidRequest, problem)
  }
  // The caller's own objects may change before they are sent, and a call that is shared must stay
  // what it was taken for.
  return { method, params: structuredClone(params) }
}
