/** Questions that no proof answers: a node's word, passed on where the caller allows it. */

import type { Client } from '../client.js'
import { profileOf } from '../core/nodes.js'
import { fromHex, toHex } from '../encoding/hex.js'
import { isRecord, shown } from '../encoding/input.js'
import { RpcError, TransportError, UnavailableError } from '../errors.js'
import { noteFailure, ranked } from '../transport/health.js'
import { loadHash } from '../wasm/module.js'
import { invalidParams, ProviderRpcError, RPC_CODES } from './rpcError.js'

/** A call, as it came. */
interface Call {
  readonly method: string
  readonly params: readonly unknown[]
}

/**
 * Asks node after node, until one of the client's chain answers; its answer is unverified.
 *
 * @throws the answer of the last node that was asked, or the signal's reason.
 */
export async function passOn(client: Client, call: Call, signal: AbortSignal): Promise<unknown> {
  let last: unknown = new UnavailableError('unreachable', 'no node was asked')
  for (const node of ranked(client.nodes)) {
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

function mayDoBetterElsewhere(
  error: unknown,
): error is RpcError | TransportError | UnavailableError {
  if (error instanceof RpcError) return error.code === 'rpc.method' || error.code === 'rpc.limit'
  return error instanceof TransportError || error instanceof UnavailableError
}

/**
 * Sends a signed transaction. What comes back proves nothing about inclusion; the hash, which wallets store, is computed
 * here, and the node's is only compared with it.
 *
 * @throws ProviderRpcError -32602; -32070 if the node names another hash.
 */
export async function sendRaw(client: Client, call: Call, signal: AbortSignal): Promise<string> {
  const [raw] = call.params
  const bytes = typeof raw === 'string' ? fromHex(raw) : undefined
  if (bytes === undefined) {
    throw invalidParams(`expected a signed transaction in hex, got ${shown(raw)}`)
  }
  const hash = toHex((await loadHash()).keccak256(hashed(bytes)))
  const named = await passOn(client, call, signal)
  if (named === hash) return hash
  const problem = `the node answered with the hash ${shown(named)}; that of the transaction is ${hash}`
  throw new ProviderRpcError(RPC_CODES.invalidProof, problem, { code: 'verify.claim' })
}

/** A blob transaction travels with its blobs, which its hash leaves out: `3 ‖ [[fields], blobs…]`. */
function hashed(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 3) return bytes
  const start = listStart(bytes, 1)
  const inner = bytes[start] ?? 0
  // Without blobs the first item is the chain id, a string.
  if (inner < 0xc0) return bytes
  const end = listStart(bytes, start) + listLength(bytes, start)
  return Uint8Array.of(3, ...bytes.subarray(start, end))
}

function listStart(bytes: Uint8Array, at: number): number {
  return at + 1 + Math.max(0, (bytes[at] ?? 0) - 0xf7)
}

function listLength(bytes: Uint8Array, at: number): number {
  const width = (bytes[at] ?? 0) - 0xf7
  if (width <= 0) return (bytes[at] ?? 0) - 0xc0
  return bytes.subarray(at + 1, at + 1 + width).reduce((sum, byte) => sum * 256 + byte, 0)
}

/** A request as EIP-1193 has it. Parameters by name do not occur in Ethereum's API. */
export function parseCall(request: unknown): Call {
  const { method, params = [] } = isRecord(request) ? request : {}
  if (typeof method !== 'string' || method === '' || !Array.isArray(params)) {
    const problem = `expected { method, params: [...] }, got ${shown(request)}`
    throw new ProviderRpcError(RPC_CODES.invalidRequest, problem)
  }
  // The caller's own objects may change before they are sent, and a call that is shared must stay what it was taken for.
  return { method, params: structuredClone(params) }
}
