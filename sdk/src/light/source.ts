/** Where signed headers come from. Nothing that a source sends is trusted: the core checks it. */

import type { Hash } from '../encoding/input.js'
import type { Health } from '../transport/health.js'

/** A beacon node, or a devnet's full node. */
export interface HeaderSource {
  /** Its origin, without path, query and credentials. */
  readonly name: string
  /** What was seen of it. */
  readonly health: Health
  /** The committee of a checkpoint's period, proved by its header; UnavailableError `checkpoint` if it is unknown. */
  bootstrap(checkpoint: Hash, signal: AbortSignal): Promise<Uint8Array>
  /** At most `count` updates, of one period each, the first of period `start`. */
  updates(start: bigint, count: number, signal: AbortSignal): Promise<readonly Uint8Array[]>
  /** The newest final header; undefined if there is none yet. */
  finality(signal: AbortSignal): Promise<Uint8Array | undefined>
  /** The newest signed header; undefined where every signed header is final. */
  optimistic(signal: AbortSignal): Promise<Uint8Array | undefined>
}
