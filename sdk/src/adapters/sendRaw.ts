/** Signed transactions on their way to a node: passed on once, their hash computed here. */

import type { Client } from '../client/client.js'
import { fromHex, type Hex } from '../encoding/hex.js'
import { shown } from '../encoding/input.js'
import { checkChain, compare, KNOWN, signedOf } from '../ethereum/blocks/rawTransaction.js'
import { noteSent } from '../ethereum/blocks/sent.js'
import { ProofError, RpcError, TransportError, UnavailableError } from '../result/errors.js'
import { noteFailure, ranked } from '../transport/health.js'
import type { Call } from './pass.js'
import { invalidParams, ProviderRpcError, toRpcError } from './rpcError.js'

/**
 * Sends a signed transaction to the first node that takes it. What comes back proves nothing about
 * inclusion; the hash, which wallets store, is computed here, and the node's is only compared with
 * it.
 *
 * A node that may have taken it is the last one that is asked: a second would answer "nonce too
 * low" or "already known" of a transaction that is on its way, or learn of one that was to be
 * private.
 *
 * @throws ProviderRpcError -32602; -32070 if the node names another hash; 4900 if nothing is known
 *   of what became of it; the node's refusal. `data.hash` is the transaction's.
 */
export async function sendRaw(client: Client, call: Call, signal: AbortSignal): Promise<Hex> {
  const [raw] = call.params
  const bytes = fromHex(raw)
  if (bytes === undefined) {
    throw invalidParams(`expected a signed transaction in hex, got ${shown(raw)}`)
  }
  const { bytes: signed, hash } = await signedOf(bytes)
  let last: unknown = new UnavailableError('unreachable', 'no node was asked')
  for (const node of ranked(client.nodes)) {
    try {
      // Whoever does not answer this has not got the transaction yet.
      await checkChain(client, node, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (!isNoAnswer(error)) throw error
      noteFailure(node, error, undefined, client.onBadProof)
      last = error
      continue
    }
    try {
      const named = compare(node, await node.call(call, signal), hash)
      noteSent(client, hash, signed)
      return named
    } catch (error) {
      signal.throwIfAborted()
      const isKnown = error instanceof RpcError && KNOWN.test(error.message)
      const isUntaken = saysUntaken(error)
      const isLost = error instanceof TransportError && !isUntaken
      if (isKnown || isLost) noteSent(client, hash, signed)
      if (isKnown) return hash
      // What is wrong with the transaction is no fault of the node's.
      if (isUntaken || error instanceof TransportError || error instanceof ProofError) {
        noteFailure(node, error, undefined, client.onBadProof)
      }
      if (!isUntaken) throw failure(error, hash, error instanceof TransportError)
      last = error
    }
  }
  throw failure(last, hash, false)
}

function isNoAnswer(error: unknown): error is RpcError | TransportError | UnavailableError {
  return (
    error instanceof RpcError ||
    error instanceof TransportError ||
    error instanceof UnavailableError
  )
}

/** Did the node say that it did nothing with it? */
function saysUntaken(error: unknown): error is RpcError | TransportError {
  if (error instanceof RpcError) return error.code === 'rpc.method' || error.code === 'rpc.limit'
  return error instanceof TransportError && error.status === 429
}

function failure(cause: unknown, hash: Hex, isLost: boolean): ProviderRpcError {
  const { code, message, data } = toRpcError(cause)
  const warning = `the transaction may be on its way all the same: look for ${hash} before you send it again`
  const details = typeof data === 'object' ? { ...data, hash } : data
  return new ProviderRpcError(code, isLost ? `${message}; ${warning}` : message, details, { cause })
}
