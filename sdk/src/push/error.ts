import type { Hex } from '../encoding/hex.js'
import { escaped } from '../encoding/printable.js'

/** Why a block was refused. */
export type PushErrorCode =
  /** The node refused the token: wrong secret, or a clock that is off by more than a minute. */
  | 'push.token'
  /** A different block has this number. `hash` is its hash. */
  | 'push.taken'
  /** Blocks before this one are missing. `expected` is the number of the next block. */
  | 'push.gap'
  /** The block cannot be applied; the message says why. The chain is unchanged. */
  | 'push.refused'
  /** The block is larger than the node accepts. */
  | 'push.limit'
  /**
   * No response after all retries. Whether the block was accepted is unknown: push the same block
   * again.
   */
  | 'push.unreachable'
  /** The response is not that of a node that accepts blocks. */
  | 'push.response'

/** A block was refused, or it is unknown whether it was accepted. */
export class PushError extends Error {
  override readonly name = 'PushError'
  readonly code: PushErrorCode
  /** Number of the next block, for `push.gap`. */
  readonly expected: bigint | undefined
  /** Hash of the block that has the number, for `push.taken`. */
  readonly hash: Hex | undefined

  constructor(
    code: PushErrorCode,
    message: string,
    details: { readonly expected?: bigint; readonly hash?: Hex; readonly cause?: unknown } = {},
  ) {
    super(escaped(message), 'cause' in details ? { cause: details.cause } : undefined)
    this.code = code
    this.expected = details.expected
    this.hash = details.hash
  }
}
