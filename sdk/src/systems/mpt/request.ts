/**
 * A proof about an account from a plain Ethereum node: `eth_getProof` and, if wanted,
 * `eth_getCode`.
 */

import { type Hex, toQuantity } from '../../encoding/hex.js'
import type { Hash } from '../../encoding/input.js'
import { perform } from '../../proving/engine.js'
import type { Header } from '../../proving/header.js'
import { RpcError, UnavailableError } from '../../result/errors.js'
import { METHOD_NOT_FOUND } from '../../transport/call.js'
import type { Desk } from '../system.js'
import { boundProof, textOf } from './bounds.js'
import type { ProofRequest } from './question.js'

/** Most bytes of answers: an account's or a slot's path, code. */
const MOST = { path: 80_000, code: 600_000 } as const

/**
 * The core's proof RLP for a block. Untrusted.
 *
 * @throws {@link ProofError} `decode.response`; {@link UnavailableError} `block`; RpcError;
 *   TransportError.
 */
export async function requestProof(
  desk: Desk,
  request: ProofRequest,
  block: Pick<Header, 'number' | 'hash'>,
): Promise<Uint8Array> {
  const profile = await desk.profile()
  if (profile.takesBlockHash === false) {
    return requestProofAt(desk, request, toQuantity(block.number))
  }
  try {
    const proof = await requestProofAt(desk, request, { blockHash: block.hash })
    profile.takesBlockHash = true
    return proof
  } catch (error) {
    if (profile.takesBlockHash || !mayBeAboutHashes(error)) throw error
  }
  // The refusal may be about EIP-1898 or about the block: the number tells them apart.
  const proof = await requestProofAt(desk, request, toQuantity(block.number))
  profile.takesBlockHash = false
  return proof
}

/** Not a quota that is used up, nor a method that the node has not got. */
function mayBeAboutHashes(error: unknown): boolean {
  if (!(error instanceof RpcError)) return false
  return error.code !== 'rpc.limit' && error.rpcCode !== METHOD_NOT_FOUND
}

async function requestProofAt(
  desk: Desk,
  { address, slots, wantCode }: ProofRequest,
  block: Hex | { readonly blockHash: Hash },
): Promise<Uint8Array> {
  const paths = { method: 'eth_getProof', params: [address, slots, block] }
  const [proof, code] = await Promise.all([
    desk.call({ ...paths, maxBytes: MOST.path * (1 + slots.length) }),
    wantCode && desk.call({ method: 'eth_getCode', params: [address, block], maxBytes: MOST.code }),
  ])
  if (proof === null) {
    throw new UnavailableError('block', `${desk.node} has no proof at this block`)
  }
  const reply = boundProof(proof, slots.length)
  const given = wantCode ? { code: { result: textOf(code) } } : {}
  return perform<Uint8Array>({ kind: 'encode', reply, ...given }, desk.signal)
}
