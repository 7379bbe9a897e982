/** Headers of a devnet's nodes. Only clients of a devnet load this file. */

import { toQuantity } from '../encoding/hex.js'
import type { Hash } from '../encoding/input.js'
import { asBytes, asList } from '../encoding/untrusted.js'
import type { HeaderDesk } from './ethereumHeaders.js'

const MAX_HEADER_BYTES = 4_096

/**
 * RLP of the header with this hash; undefined if the node does not know it.
 *
 * @throws RpcError, TransportError; {@link ProofError}
 */
export async function headerByHash(desk: HeaderDesk, hash: Hash): Promise<Uint8Array | undefined> {
  const call = { method: 'lp_getHeader', params: [hash], maxBytes: MAX_HEADER_BYTES }
  const rlp = await desk.call(call)
  return rlp === null ? undefined : asBytes(rlp, 'lp_getHeader')
}

/**
 * RLPs of headers that end below block `below`, newest first: as many as one call brings of the
 * next `distance`.
 *
 * @throws as {@link headerByHash}
 */
export async function headersBelow(
  desk: HeaderDesk,
  below: bigint,
  distance: bigint,
): Promise<Uint8Array[]> {
  const { headersPerCall } = await desk.profile()
  const count = distance < headersPerCall ? distance : BigInt(headersPerCall)
  const params = [below - count, count].map(toQuantity)
  const list = asList(await desk.call({ method: 'lp_getHeaders', params }), 'headers')
  return list.map((rlp, i) => asBytes(rlp, `lp_getHeaders[${i}]`)).reverse()
}
