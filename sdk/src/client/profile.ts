/** What a client learnt about its nodes. */

import type { RpcError } from '../result/errors.js'
import type { Shard } from '../systems/shard.js'

/** What a node says that it proves by one system. */
export interface NodeOffer {
  /** Blocks that it has proofs for; the window moves on with the chain. */
  readonly window: { readonly from: bigint; readonly to: bigint } | undefined
  /** The part of the keys that it holds; undefined for all. */
  readonly shard: Shard | undefined
  /** Proof shapes that it serves; undefined if it does not say. */
  readonly variants: readonly string[] | undefined
}

/**
 * What a client learnt about a node, so as not to ask twice; forgotten after ten minutes. Hints,
 * not facts.
 */
export interface NodeProfile {
  /** Headers that it is asked for in one exchange. */
  headersPerCall: number
  /** Does it take `{ blockHash }` (EIP-1898)? Unknown until tried. */
  takesBlockHash: boolean | undefined
  /** By system; undefined of a node that does not say what it serves. */
  systems: ReadonlyMap<string, NodeOffer> | undefined
  /**
   * Methods that it did not know, until when it is not asked for them (milliseconds since 1970),
   * and what it said.
   */
  readonly lacks: Map<
    string,
    {
      readonly error: RpcError
      readonly until: number
      /** From the refusal to then, in milliseconds. */
      readonly ms: number
    }
  >
  /** Milliseconds since 1970. */
  readonly probedAt: number
}

/** What a probe finds. */
export type Learnt = Omit<NodeProfile, 'lacks' | 'probedAt'>
