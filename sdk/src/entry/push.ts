/**
 * Entry for applications that make their own blocks: pushes them to `lightproof-node run --push`.
 * For servers only: the secret gives write access to the chain.
 *
 * @packageDocumentation
 */

export type {
  Integer,
  PushAccount,
  PushBlock,
  PushSlot,
  WordLike,
} from '../push/block.js'
export { PushError, type PushErrorCode } from '../push/error.js'
export {
  createPushClient,
  type PushClient,
  type PushClientOptions,
  type PushedBlock,
  pushBlock,
} from '../push/push.js'
export type { Signer } from '../push/token.js'
