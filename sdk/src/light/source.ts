/** Where signed headers come from. Nothing that a source sends is trusted: the core checks it. */

import type { Hash } from '../encoding/input.js'
import type { Health } from '../transport/health.js'

/** What a source sent. */
export interface SignedBytes {
  readonly bytes: Uint8Array
  /**
   * The name that the source gives its fork, if it is none that this version and the chain's
   * configuration know.
   */
  readonly unknownFork?: string | undefined
}

/** A beacon node, or a devnet's full node. */
export interface HeaderSource {
  /** Its origin, without path, query and credentials. */
  readonly name: string
  /** What was seen of it. */
  readonly health: Health
  /**
   * The committee of a checkpoint's period, proved by its header; UnavailableError `checkpoint` if
   * it is unknown.
   */
  bootstrap(checkpoint: Hash, signal: AbortSignal): Promise<SignedBytes>
  /** At most `count` updates, of one period each, the first of period `start`. */
  updates(start: bigint, count: number, signal: AbortSignal): Promise<readonly SignedBytes[]>
  /** The newest final header; undefined before the first. */
  finality(signal: AbortSignal): Promise<SignedBytes | undefined>
  /** The newest signed header; undefined where every signed header is final. */
  optimistic(signal: AbortSignal): Promise<SignedBytes | undefined>
}
