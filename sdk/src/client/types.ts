/** What a client is. */

import type { Hash } from '../encoding/input.js'
import type { Light } from '../light/light.js'
import type { BlockTarget } from '../proving/at.js'
import type { Line, Located } from '../proving/line.js'
import type { Invalid, Unavailable } from '../result/result.js'
import type { Cache } from '../store/cache.js'
import type { BadProofListener } from '../transport/health.js'
import type { HttpLimits } from '../transport/http.js'
import type { Node } from '../transport/rpc.js'
import type { Chain } from './chains.js'
import type { NodeProfile } from './profile.js'

/** A client. Make it with `createClient`, and give it to actions: all else in it is theirs. */
export interface Client {
  /** The chain that it is of. */
  readonly chain: Chain
  /** Where its trust starts. */
  readonly anchor: {
    readonly kind: 'block' | 'checkpoint' | 'node'
    /** Of `node` that of the chain's block 0. */
    readonly hash: Hash
    /** Of `node`: which one is trusted. */
    readonly node?: string
  }
  /** @internal */
  readonly nodes: readonly Node[]
  /** @internal */
  readonly maxWalk: number
  /** @internal Undefined for never. */
  readonly hedgeMs: number | undefined
  /** @internal Infinity for never. */
  readonly deadlineMs: number
  /**
   * @internal Trusted blocks with their ancestors, the one that is asked about by default first.
   */
  readonly lines: Line[]
  /** @internal Where the anchor is a checkpoint. */
  readonly light: Light | undefined
  /** @internal Where the anchor is a node: asks it for the newest block, before each question. */
  readonly renew?: Renew
  /** @internal What every file that is made of its proofs says. */
  readonly note?: string
  /** @internal By node name. */
  readonly profiles: Map<string, NodeProfile>
  /** @internal */
  readonly onBadProof: BadProofListener | undefined
  /** @internal */
  readonly follows: FollowedChain | undefined
  /** @internal Trie nodes and code of proofs that held. */
  readonly cache: Cache | undefined
}

/** Renews the blocks that a client trusts. @returns why it could not. */
export type Renew = (
  client: Client,
  at: BlockTarget,
  signal: AbortSignal | undefined,
) => Promise<Invalid | Unavailable | undefined>

/**
 * Trusts a node's word for the newest block: for development alone. Made by `trustNode` of
 * `lightproof/dev`.
 */
export interface NodeAnchor {
  readonly kind: 'node'
  /**
   * @internal What it makes of a client.
   * @throws InputError where the chain is public, unless that was consented to.
   */
  readonly attach: (
    chain: Chain,
    follows: FollowedChain | undefined,
    limits: HttpLimits,
  ) => Pick<Client, 'anchor' | 'note' | 'renew'>
}

/** The chain that a client's chain follows: made by `followedChain` of `lightproof/follows`. */
export interface FollowedChain {
  /** @internal What was found, with {@link Located.compared}; or why it may not be shown. */
  readonly compare: <S extends { readonly value: Located }>(
    client: Client,
    found: S,
    signal: AbortSignal | undefined,
  ) => Promise<S | Invalid | Unavailable>
}
