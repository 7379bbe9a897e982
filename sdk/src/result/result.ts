/**
 * What an action found out, with its grounds. There are five statuses, which never collapse into
 * each other: `present`, `absent`, `deleted` (systems that can tell), `invalid` and `unavailable`.
 * A question about several keys is `proven`, and each key has one of the first three.
 */

import type { Hex } from '../encoding/hex.js'
import type { Hash } from '../encoding/input.js'
import type { SystemName } from '../systems/registry.js'
import type { ProvedPart } from '../systems/system.js'
import type { ProofError, UnavailableError } from './errors.js'
import type { Evidence } from './file.js'

/** A node that was asked in vain, and the code of its error. */
export interface Tried {
  readonly node: string
  readonly code: string
}

/**
 * A bad proof, and who sent it. That it is bad anybody can check; that just this node sent it is
 * the client's word, since nodes sign nothing.
 */
export interface BadProof {
  readonly node: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly error: ProofError
  /**
   * Header, question, bytes and code, for `verifyProofFile`. It names what was asked. Left out
   * where what was sent is no proof at all (`decode.response`), or where it depends on this
   * machine's clock (`verify.time`).
   */
  readonly evidence: Evidence | undefined
}

/**
 * What no proof covers here. `anchor`: that the pinned block (or root) belongs to the chain, which
 * is the caller's word. `recency`: that nothing changed in later blocks. `chain`: chain id and
 * genesis, where only a file names them. `overrides`: that the state is what the caller made of
 * it. `node`: all of it may be false, if the node lies that the caller trusts for the newest block
 * (`trustNode` of `lightproof/dev`, for development).
 */
export type UnprovedPart = 'anchor' | 'recency' | 'chain' | 'overrides' | 'node'

/** Members of a committee that signed a header. */
export interface Participation {
  readonly signed: number
  readonly of: number
}

/** What an answer of a client with the option `follows` was compared with. */
export interface FollowedGrounds {
  /**
   * The block's origin is the followed chain's block of the same number, which is trusted and final
   * there.
   */
  readonly origin: 'proven'
  /**
   * `equal`: the block's commitment of mpt is the state root of its origin. `not committed`: the
   * chain has no mpt, so every value rests on those who sign, but for those that were
   * cross-checked.
   */
  readonly originState: 'equal' | 'not committed'
  /**
   * Values that were proven a second time under that state root: 0 where none was, wished for or
   * not.
   */
  readonly crossChecked: number
}

/** On what grounds a fact is held, for the reader who wants to know. */
export interface Trust extends Partial<FollowedGrounds> {
  readonly chain: { readonly name: string; readonly chainId: number }
  /**
   * The block that the fact is about. If a bare root was pinned, its number is what the caller
   * said, the rest null.
   */
  readonly block: {
    readonly number: bigint | null
    readonly hash: Hash | null
    /** Seconds since 1970. */
    readonly timestamp: bigint | null
    /** How old the value is: whole seconds from the block's timestamp to the local clock. */
    readonly ageSeconds: number | null
  }
  /**
   * `pinned`: the block is the anchor itself. `finalized`: a committee signed that the block is
   * final. `ancestor`: one of these descends from it, by parent hashes. `head`: a committee signed
   * the block or a descendant of it, but it is not final yet and may be left in a fork. `forced`:
   * since the checkpoint the client went on without finality once, because `sync` was told to; whom
   * it believes since then follows from that step. `claimed`: a node says so, and nobody signed the
   * block or a descendant of it (`trustNode` of `lightproof/dev`).
   */
  readonly finality: 'pinned' | 'finalized' | 'ancestor' | 'head' | 'forced' | 'claimed'
  readonly anchor: {
    readonly kind: 'block' | 'root' | 'checkpoint' | 'node'
    /**
     * The block hash, root or checkpoint that the caller pinned; of `node` the newest block that it
     * named.
     */
    readonly hash: Hex
    /** Of `node`: which one is trusted. */
    readonly node?: string
    /** Seconds from the anchor's timestamp to the local clock; null for a bare root. */
    readonly ageSeconds: number | null
  }
  /**
   * Seconds from the newest trusted header (the anchor's, if that is a block) to the local clock:
   * how far the client has followed the chain. The value may be much older: its age is
   * `block.ageSeconds`.
   */
  readonly headLagSeconds: number | null
  /** Who signed the header that the block was proved from; left out if it was pinned. */
  readonly participation?: Participation
  /**
   * The operators who vouch for the block, on a chain of kind `attested`: the same numbers as
   * `participation`.
   */
  readonly attestedBy?: Participation
  /** The proof system; `header` for a block alone. */
  readonly system: SystemName | 'header'
  /** Which of the system's proof shapes was served. */
  readonly variant: string
  /**
   * The setup of the system's parameters, where it has one; `insecure` if its secret is known (a
   * test chain's).
   */
  readonly setup?: { readonly digest: Hex; readonly insecure: boolean }
  /** The node that served the bytes; `file`, or `cache` for what proofs before held. */
  readonly servedBy: string
  /** The nodes that served the rest, where no node has all of the keys. */
  readonly alsoServedBy?: readonly string[]
  /**
   * Who served what leads from the anchor to the block: the source of the newest signed header
   * (`store` if it was kept), then the nodes of the headers. What they sent is proved like all
   * else.
   */
  readonly headersFrom: readonly string[]
  /** Nodes that were asked before and did not prove it: a `verify.*` code marks a liar. */
  readonly tried: readonly Tried[]
  readonly proved: readonly ProvedPart[]
  readonly notProved: readonly UnprovedPart[]
}

/** Proven: it is there, with this value. */
export interface Present<V> {
  readonly status: 'present'
  readonly value: V
  readonly trust: Trust
}

/** Proven: it is not there. The value is what the protocol reads then (balance 0). */
export interface Absent<D> {
  readonly status: 'absent'
  readonly value: D
  readonly trust: Trust
}

/** Proven, and on what grounds. */
export type Grounded<O> = O & { readonly trust: Trust }

/** No node proved anything, and at least one sent a bad proof. */
export interface Invalid {
  readonly status: 'invalid'
  readonly error: ProofError
  /** The bad proofs, as files that anybody can check. */
  readonly evidence: readonly Evidence[]
}

/** No node proved anything; none was caught lying. */
export interface Unavailable {
  readonly status: 'unavailable'
  readonly error: UnavailableError
  readonly tried: readonly Tried[]
}

/** A value of type `V`, proven; or its proven absence, read as `D`; or why neither is known. */
export type Result<V, D = undefined> = Present<V> | Absent<D> | Invalid | Unavailable

/** A block that is proven from the anchor. Pass it as `at`. */
export interface Block {
  readonly number: bigint
  readonly hash: Hash
  readonly parentHash: Hash
  /** Seconds since 1970. */
  readonly timestamp: bigint
  /**
   * Hash of the block of another chain that this one follows, or digest of the block that was
   * pushed; undefined if there is neither.
   */
  readonly origin: Hash | undefined
  /** Root of the account trie; undefined if the header commits to none. */
  readonly stateRoot: Hash | undefined
}
