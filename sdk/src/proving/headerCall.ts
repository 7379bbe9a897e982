/** The question for a header by its hash, to a plain Ethereum node. */

import type { Hash } from '../encoding/input.js'
import type { RpcCall } from '../transport/call.js'

/** Most bytes of a block with the hashes of its transactions. */
export const BLOCK_BYTES = 1_048_576

/** The call; its answer is a block with the hashes of its transactions. */
export function headerCall(hash: Hash): RpcCall {
  return { method: 'eth_getBlockByHash', params: [hash, false], maxBytes: BLOCK_BYTES }
}
