import type { Hex } from '../encoding/hex.js'
import { escaped } from '../encoding/printable.js'

/** Why a block was not taken. */
export type PushErrorCode =
  /** The node refused the token: another secret, or a clock that is wrong by more than a minute. */
  | 'push.token'
  /** Another block has the number. `hash` is its hash. */
  | 'push.taken'
  /** Blocks before this one are missing. `expected` is the number of the next block. */
  | 'push.gap'
  /** The block cannot be applied; the message says why. The chain is as it was before. */
  | 'push.refused'
  /** More than the node takes at once. */
  | 'push.limit'
  /**
   * No answer came, however often it was tried. Whether the block was taken is unknown: push the
   * same again.
   */
  | 'push.unreachable'
  /** The answer is none of a node that takes blocks. */
  | 'push.response'

/** A block that was not taken, or of which that is unknown. */
export class PushError extends Error {
  override readonly name = 'PushError'
  readonly code: PushErrorCode
  /** Of `push.gap`. */
  readonly expected: bigint | undefined
  /** Of `push.taken`. */
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
