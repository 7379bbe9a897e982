/** What an action does at one node. */

import type { Client } from '../client/client.js'
import type { ProofFile } from '../result/file.js'
import type { Node } from '../transport/rpc.js'

/** One node in one action. */
export interface Session {
  readonly client: Client
  readonly node: Node
  readonly signal: AbortSignal | undefined
  /** Bad proofs of the action's nodes so far. */
  readonly evidence: ProofFile[]
  /** Answers to calls that were made early, by {@link sameCall}; each is used once. */
  readonly ahead?: Map<string, Promise<unknown>>
}
