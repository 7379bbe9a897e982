/** Headers that are trusted. */

import type { Hex } from '../encoding/hex.js'
import type { Hash } from '../encoding/input.js'

/** A header that a trusted hash vouches for. */
export interface Header {
  readonly hash: Hash
  readonly parentHash: Hash
  readonly number: bigint
  readonly timestamp: bigint
  /** Hash of the block that it follows, or digest of the block that was pushed. */
  readonly origin: Hash | undefined
  /** By proof system. */
  readonly commitments: { readonly [system: string]: Hex }
  readonly rlp: Uint8Array
  /** The node that served it, where one did. */
  readonly servedBy?: string
}
