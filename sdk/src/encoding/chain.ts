/** A chain configuration as the core reads it. */

import type { Chain } from '../client/chains.js'
import { encodeConsensus } from '../client/consensus.js'
import { bytesOf, integerBytes } from './hex.js'
import { encodeRlp, name } from './rlp.js'

/** RLP `[kind, chainId, genesisHash]`, and the consensus where headers are signed. */
export function encodeChain({ kind, chainId, genesisHash, consensus }: Chain): Uint8Array {
  const chain = [name(kind), integerBytes(BigInt(chainId)), bytesOf(genesisHash)]
  return encodeRlp(consensus === undefined ? chain : [...chain, encodeConsensus(consensus)])
}
