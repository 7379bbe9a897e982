/** Options of `createClient`. */

import type { Fetch } from '../encoding/platform.js'
import type { Store } from '../store/store.js'
import type { BadProofListener } from '../transport/health.js'
import type { Chain } from './chains.js'
import type { FollowedChain, NodeAnchor } from './types.js'

/** Trusts one block and its ancestors. */
export interface BlockAnchor {
  /** Hash of the block. */
  readonly block: string
}

/** Trusts one block and every later block that the chain's committees sign. */
export interface CheckpointAnchor {
  /**
   * Root of a finalized beacon block at the first slot of an epoch, 32 bytes in hex. On a devnet:
   * hash of a block.
   */
  readonly checkpoint: string
  /**
   * Maximum age of the checkpoint, or of the newer header in `store`, in seconds. Members of an
   * older committee may have withdrawn their stake, so signing a false header costs them nothing.
   * Default: set by the chain's forks, 14 days, or 7 days from Gloas on, where exits are faster.
   * `Infinity` accepts any age.
   */
  readonly maxAgeSeconds?: number
}

/** Options of {@link createClient}. */
export interface ClientOptions {
  /**
   * The chain, from your own configuration: `mainnet`, `devnet(genesisHash)`, `defineChain({…})`.
   */
  readonly chain: Chain
  /**
   * Where trust starts: a hash from a source that you trust, never from one of the nodes below. In
   * development also `trustNode(url)` of `lightproof/dev`.
   */
  readonly anchor: BlockAnchor | CheckpointAnchor | NodeAnchor
  /**
   * HTTP JSON-RPC URLs of full nodes, in order of preference. None is trusted. If a node fails, the
   * client asks the next one. A node that failed is asked last for up to a minute; a node that sent
   * a bad proof is asked last until it is reinstated.
   */
  readonly nodes: readonly (string | URL)[]
  /**
   * HTTP URLs of beacon nodes that serve light clients. Required with `anchor.checkpoint` on
   * Ethereum. None is trusted.
   */
  readonly beacons?: readonly (string | URL)[]
  /**
   * For a chain that follows an Ethereum chain: every answer is compared with the Ethereum chain.
   * Made by `followedChain(ethereum)` of `lightproof/follows`.
   */
  readonly follows?: FollowedChain
  /**
   * Where the client keeps headers and trie nodes that it proved, so that the next start need not
   * fetch them again. Default: nothing is kept.
   */
  readonly store?: Store
  /**
   * Maximum seconds between the newest final block's timestamp and the local clock, for queries of
   * that block with `anchor.checkpoint`. An older block gives `unavailable` with code `stale`.
   * Default on Ethereum 1,200 (a block becomes final after 13 to 19 minutes), on devnets
   * `Infinity`, as for any chain that does not finalize.
   */
  readonly maxFinalLagSeconds?: number
  /**
   * The same limit for the newest signed block (`at: 'head'`, `latest`). Default on Ethereum 120,
   * on devnets `Infinity`.
   */
  readonly maxHeadLagSeconds?: number
  /**
   * Called for every bad proof with the node that sent it, even if another node then proved the
   * answer. `evidence` contains the query and so the user's address: do not send it to telemetry.
   * Exceptions that it throws are ignored.
   */
  readonly onBadProof?: BadProofListener
  /**
   * Sends requests. Default: `globalThis.fetch`; in Node.js `node:http` for as long as the program
   * has neither used nor replaced its `fetch`.
   */
  readonly fetch?: Fetch
  /** Timeout of one request to one node, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number
  /** Maximum size of one response, in bytes. Default 4 MiB. */
  readonly maxBytes?: number
  /** Retries of a request to the same node after a temporary transport error. Default 2. */
  readonly retries?: number
  /**
   * Milliseconds without a response after which the client also asks the next node; the first
   * proven answer wins. The next node then learns the query, addresses included. Default 3,000;
   * `Infinity` asks the next node only after the first failed.
   */
  readonly hedgeMs?: number
  /**
   * Timeout of a whole query, in milliseconds: syncing, walking back, every node and retry. After
   * it the result is `unavailable` with code `deadline`; headers walked so far are kept. Default
   * 30,000; `Infinity` disables the limit.
   */
  readonly deadlineMs?: number
  /**
   * Maximum number of calls per JSON-RPC batch. Calls made in the same tick are batched. Default
   * 32; 1 disables batching.
   */
  readonly batchSize?: number
  /**
   * Maximum number of blocks that the client walks back by parent hashes, from the anchor or from a
   * block that a proven slot of EIP-2935's contract names (Ethereum from Prague on). Default 8,192.
   */
  readonly maxWalk?: number
  /**
   * Most memory of the cache of proven trie nodes and code, in bytes; an entry counts 1,000 bytes
   * more than it holds. Cached nodes are not fetched again. Default 16 MiB; 0 disables the cache.
   */
  readonly cacheBytes?: number
}
