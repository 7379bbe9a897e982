/**
 * A proof about an account from a plain Ethereum node: `eth_getProof` and, if wanted,
 * `eth_getCode`.
 */

import { type Hex, toQuantity } from '../../encoding/hex.js'
import type { Hash } from '../../encoding/input.js'
import { perform } from '../../proving/engine.js'
import type { Header } from '../../proving/header.js'
import { RpcError, UnavailableError } from '../../result/errors.js'
import { METHOD_NOT_FOUND, type RpcCall } from '../../transport/call.js'
import type { Desk } from '../system.js'
import { boundProof, textOf } from './bounds.js'
import type { ProofRequest } from './question.js'

/** A block, as nodes take one. */
type BlockName = Hex | { readonly blockHash: Hash }

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

/**
 * The calls that a proof takes: the paths, and the code if it is wanted. What reads the answers is
 * loaded meanwhile; a failure is reported where it is used.
 */
export function proofCalls(
  { address, slots, wantCode }: ProofRequest,
  block: BlockName,
): RpcCall[] {
  import('./encode.js').catch(() => undefined)
  const maxBytes = MOST.path * (1 + slots.length)
  const paths: RpcCall = { method: 'eth_getProof', params: [address, slots, block], maxBytes }
  if (!wantCode) return [paths]
  return [paths, { ...paths, method: 'eth_getCode', params: [address, block], maxBytes: MOST.code }]
}

/** Not a quota that is used up, a block that is unknown, nor a method that the node has not got. */
function mayBeAboutHashes(error: unknown): boolean {
  if (!(error instanceof RpcError)) return false
  return !/limit|block$/.test(error.code) && error.rpcCode !== METHOD_NOT_FOUND
}

async function requestProofAt(
  desk: Desk,
  request: ProofRequest,
  block: BlockName,
): Promise<Uint8Array> {
  const { slots, wantCode } = request
  const [proof, code] = await Promise.all(proofCalls(request, block).map(desk.call))
  if (proof === null) {
    throw new UnavailableError('block', `${desk.node} has no proof at this block`)
  }
  const reply = boundProof(proof, slots.length)
  const given = wantCode ? { code: { result: textOf(code) } } : {}
  return perform<Uint8Array>({ kind: 'encode', reply, ...given }, desk.signal)
}
