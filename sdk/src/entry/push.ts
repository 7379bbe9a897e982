/**
 * Entry for applications whose own blocks a node commits to: pushes them to
 * `lightproof-node run --push`. For servers: whoever has the secret writes the chain.
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
