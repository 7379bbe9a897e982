/** What a client keeps of proofs that held: limits that generic code sets, and what a system keeps. */

import type { Hex } from '../encoding/hex.js'
import type { Store } from './store.js'

/** How much a client keeps. */
export interface CacheOptions {
  readonly maxBytes: number
  /** Where it is kept beyond the page or process, if anywhere. */
  readonly store: Store | undefined
  /** The chain's; what is kept of one chain is of no use for another. */
  readonly genesisHash: Hex
}

/** What a client keeps. Only the system that keeps something reads and sets `opened`. */
export interface Cache extends CacheOptions {
  /** What is kept, as soon as it is loaded. */
  opened: Promise<unknown> | undefined
}
