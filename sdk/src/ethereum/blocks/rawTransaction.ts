/** A signed transaction: its hash, and what nodes say when they get it. */

import type { Client } from '../../client/client.js'
import { fromQuantity, type Hex, toHex } from '../../encoding/hex.js'
import { shown } from '../../encoding/input.js'
import { ProofError, UnavailableError } from '../../result/errors.js'
import type { Node } from '../../transport/rpc.js'
import { loadHash } from '../../wasm/module.js'

/** What nodes say of a transaction that they have (geth, reth, Erigon, Nethermind, Besu). */
export const KNOWN: RegExp = /already known|already imported|known transaction|AlreadyKnown/i

/** A signed transaction without blobs, and its hash. */
export interface Signed {
  readonly bytes: Uint8Array
  readonly hash: Hex
}

/** What is hashed of a signed transaction, and the hash. */
export async function signedOf(raw: Uint8Array): Promise<Signed> {
  const bytes = hashed(raw)
  return { bytes, hash: toHex((await loadHash()).keccak256(bytes)) }
}

/** @throws UnavailableError `chain` if the node serves another chain than the client's. */
export async function checkChain(
  { chain }: Client,
  node: Node,
  signal: AbortSignal | undefined | undefined,
): Promise<void> {
  const id = await node.call({ method: 'eth_chainId', params: [] }, signal)
  if (fromQuantity(id) === BigInt(chain.chainId) || id === chain.chainId) return
  const problem = `${node.name} serves chain ${shown(id)}, not ${chain.name} (${chain.chainId})`
  throw new UnavailableError('chain', problem)
}

/**
 * The hash, if the node names no other.
 *
 * @throws ProofError `verify.claim`
 */
export function compare(node: Node, named: unknown, hash: Hex): Hex {
  if (typeof named === 'string' && named.toLowerCase() === hash) return hash
  const problem = `the node answered with the hash ${shown(named)}; that of the transaction is ${hash}`
  throw new ProofError('verify.claim', problem, { node: node.name })
}

/**
 * A blob transaction travels with its blobs, which its hash leaves out: `3 ‖ [[fields], blobs…]`.
 */
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
