/** What an action found out: five outcomes that never collapse into each other, each with its grounds. */

import type { SystemName } from './chains.js'
import type { Hex } from './encoding/hex.js'
import type { Hash } from './encoding/input.js'
import type { ProofError, UnavailableError } from './errors.js'
import type { Evidence } from './file.js'

/** A node that was asked in vain, and the code of its error. */
export interface Tried {
  readonly node: string
  readonly code: string
}

/**
 * A bad proof, and who sent it. That it is bad anybody can check; that just this node sent it is the client's word, since
 * nodes sign nothing.
 */
export interface BadProof {
  readonly node: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly error: ProofError
  /**
   * Header, question, bytes and code, for `verifyProofFile`. It names what was asked. Left out where what was sent is no
   * proof at all (`decode.response`), or where it depends on this machine's clock (`verify.time`).
   */
  readonly evidence: Evidence | undefined
}

/** A part of a fact that the proof covers. */
export type ProvedPart =
  | 'header'
  | 'account'
  | 'balance'
  | 'nonce'
  | 'code'
  | 'storage'
  | 'value'
  | 'history'

/**
 * What no proof covers here. `anchor`: that the pinned block (or root) belongs to the chain, which is the caller's word.
 * `recency`: that nothing changed in later blocks. `chain`: chain id and genesis, where only a file names them. `layout`:
 * that a token keeps its balances where it was found to.
 */
export type UnprovedPart = 'anchor' | 'recency' | 'chain' | 'layout'

/** Members of a committee that signed a header. */
export interface Participation {
  readonly signed: number
  readonly of: number
}

/** On what grounds a fact is held, for the reader who wants to know. */
export interface Trust {
  readonly chain: { readonly name: string; readonly chainId: number }
  /** The block of which the fact holds; its hash is null if a bare root was pinned. */
  readonly block: { readonly number: bigint; readonly hash: Hash | null }
  /**
   * `pinned`: the block is the anchor itself. `finalized`: a committee signed that the block is final. `ancestor`: one of
   * these descends from it, by parent hashes. `head`: a committee signed the block or a descendant of it, but it is not
   * final yet and may be left in a fork.
   */
  readonly finality: 'pinned' | 'finalized' | 'ancestor' | 'head'
  readonly anchor: {
    readonly kind: 'block' | 'root' | 'checkpoint'
    /** The block hash, root or checkpoint that the caller pinned. */
    readonly hash: Hex
    /** Seconds from the anchor's timestamp to the local clock; null for a bare root. */
    readonly ageSeconds: number | null
  }
  /** Seconds from the newest trusted header (the anchor's, if that is a block) to the local clock. */
  readonly headLagSeconds: number | null
  /** Who signed the header that the block was proved from; left out if it was pinned. */
  readonly participation?: Participation
  /** The proof system; `header` for a block alone. */
  readonly system: SystemName | 'header'
  /** Which of the system's proof shapes was served. */
  readonly variant: string
  /** The setup of the system's parameters, where it has one; `insecure` if its secret is known (a test chain's). */
  readonly setup?: { readonly digest: Hex; readonly insecure: boolean }
  /** The node that served the bytes; `file`, or `cache` for what proofs before held. */
  readonly servedBy: string
  /** The nodes that served the rest, where no node has all of the keys. */
  readonly alsoServedBy?: readonly string[]
  /**
   * Who served what leads from the anchor to the block: the source of the newest signed header (`store` if it was kept), then
   * the nodes of the headers. What they sent is proved like all else.
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

/** What a proof says, before its grounds: `proven` of several keys, each of which has a status of its own. */
export interface Finding {
  readonly status: 'present' | 'absent' | 'deleted' | 'proven'
  readonly value: unknown
}

/** What a proof says of one key. A system that cannot tell deleted keys from those that never were says `absent`. */
export type Outcome =
  | { readonly status: 'present'; readonly value: unknown }
  | { readonly status: 'absent' | 'deleted'; readonly value: undefined }

/** Proven, and on what grounds. */
export type Grounded<O> = O & { readonly trust: Trust }

/** Proven of every key that was asked for, in the order of the question. */
export interface ProvenValues<O> {
  readonly status: 'proven'
  readonly value: readonly O[]
}

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

/** A block of which the client knows that the anchor vouches for it. Pass it as `at`. */
export interface Block {
  readonly number: bigint
  readonly hash: Hash
  readonly parentHash: Hash
  /** Seconds since 1970. */
  readonly timestamp: bigint
  /** Root of the account trie; undefined if the header commits to none. */
  readonly stateRoot: Hash | undefined
}

/** An account as its trie leaf holds it. */
export interface Account {
  readonly nonce: bigint
  /** In wei. */
  readonly balance: bigint
  /** Root of its storage trie. */
  readonly storageHash: Hash
  /** keccak-256 of its code. */
  readonly codeHash: Hash
}

/** A storage slot, proven present or absent; an absent one reads 0. */
export interface ProvenSlot {
  /** 32 bytes. */
  readonly slot: Hex
  readonly status: 'present' | 'absent'
  readonly value: bigint
}

/** Everything that one proof file proves. */
export interface ProvenAccount {
  readonly address: Hex
  /** null: the account is proven absent. */
  readonly account: Account | null
  readonly slots: readonly ProvenSlot[]
  /** The code, `0x` if there is none; undefined if the file does not ask for it. */
  readonly code: Hex | undefined
}
