/** What a client is made of: the caller's options. */

import type { Store } from '../store/store.js'
import type { BadProofListener } from '../transport/health.js'
import type { Chain } from './chains.js'
import type { FollowedChain } from './types.js'

/** One block is trusted, and its ancestors. */
export interface BlockAnchor {
  /** Hash of the block. */
  readonly block: string
}

/**
 * A block is trusted, and every later one that the chain's committees sign for, from that block on.
 */
export interface CheckpointAnchor {
  /**
   * Root of a beacon block that is the first of its epoch and final; on a devnet the hash of a
   * block.
   */
  readonly checkpoint: string
  /**
   * How old what is known may be. Members of older committees may have left, and have nothing to
   * lose by signing a lie. Default as the chain's forks say: 14 days, 7 from Gloas on, where
   * members leave faster; `Infinity` for any age.
   */
  readonly maxAgeSeconds?: number
}

/** What {@link createClient} takes. */
export interface ClientOptions {
  /**
   * The chain, from your own configuration: `mainnet`, `devnet(genesisHash)`, `defineChain({…})`.
   */
  readonly chain: Chain
  /** Where trust starts: a hash that you got from a source you trust, never from a node below. */
  readonly anchor: BlockAnchor | CheckpointAnchor
  /**
   * HTTP JSON-RPC URLs of full nodes, the preferred one first. None is trusted. The next one is
   * asked where one fails; after a failure a node rests for up to a minute, and after a bad proof
   * it is set aside: both are asked only if no other node proves the answer.
   */
  readonly nodes: readonly (string | URL)[]
  /**
   * For a checkpoint on Ethereum: HTTP URLs of beacon nodes that serve light clients. None is
   * trusted.
   */
  readonly beacons?: readonly (string | URL)[]
  /**
   * For a chain that follows an Ethereum chain: every answer is compared with that one.
   * `followedChain(ethereum)` of `lightproof/follows` makes it.
   */
  readonly follows?: FollowedChain
  /** Where to keep what was proved, to start from there next time. Default nowhere. */
  readonly store?: Store
  /**
   * For a checkpoint: seconds that the newest final block may be behind the local clock where it is
   * what is asked about; an older one is refused as `stale`. Default 20 minutes on Ethereum: a
   * block becomes final after 13 to 19 minutes. `Infinity` for a chain that does not finalize,
   * which is the default of devnets.
   */
  readonly maxFinalLagSeconds?: number
  /**
   * The same of the newest signed block (`at: 'head'`, `latest`). Default 2 minutes on Ethereum,
   * any on devnets.
   */
  readonly maxHeadLagSeconds?: number
  /**
   * Hears of every bad proof and who sent it, also where another node then proved the answer. Its
   * `evidence` holds the question, and so the user's address: it is not for telemetry. What it
   * throws disturbs nothing.
   */
  readonly onBadProof?: BadProofListener
  /** Stands in for `globalThis.fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** Milliseconds that one attempt at one node may take. Default 10,000. */
  readonly timeoutMs?: number
  /** Bytes that one answer may have. Default 4 MiB. */
  readonly maxBytes?: number
  /** Further attempts at a node after a transport error that may pass. Default 2. */
  readonly retries?: number
  /**
   * Milliseconds without an answer after which the next node is asked as well; the first proven
   * answer wins. The next node then learns the question, addresses included. Default 3,000;
   * `Infinity`: only once the first has failed.
   */
  readonly hedgeMs?: number
  /**
   * Milliseconds that a question may take in all: syncing, walking back, every node and retry. Then
   * it is `unavailable` (`deadline`); headers that were walked are kept. Default 30,000;
   * `Infinity`: no limit.
   */
  readonly deadlineMs?: number
  /**
   * Calls that are made at once travel in one request, at most so many. Default 32; 1 for none but
   * single calls.
   */
  readonly batchSize?: number
  /**
   * How many blocks the client walks back by parent hashes, from the anchor or from a block that
   * one proven slot leads to (EIP-2935, on Ethereum from Prague on). Default 8,192.
   */
  readonly maxWalk?: number
  /**
   * Bytes of trie nodes and code that are kept of proofs that held, so that nothing is asked twice.
   * Default 4 MiB; 0 for none.
   */
  readonly cacheBytes?: number
}
