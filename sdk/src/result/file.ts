/** The one schema of proof files and evidence, shared with test-vectors/schema.json. */

import type { Consensus } from '../client/consensus.js'
import type { Hex } from '../encoding/hex.js'
import type { Hash } from '../encoding/input.js'
import type { SystemName } from '../systems/registry.js'

/** A system's configuration in a file: what the core checks the proof under. */
export interface FileConfig {
  readonly format: string
  readonly paramsDigest?: Hash
  /** They hash to the digest, which is what a reader must know of them. */
  readonly params?: Hex
}

/** Headers linked back from a block hash. */
export interface HeaderJson {
  readonly hash: Hex
  readonly rlps: readonly Hex[]
  /**
   * Left out, `hash` is of the block that the reader trusts. Else this proves the hash under a
   * newer block: one slot of the contract that keeps the hashes of blocks (EIP-2935).
   */
  readonly by?: ProofFile
}

/** Where a file's root comes from: headers, or a bare root. */
export type SourceJson =
  | { readonly header: HeaderJson }
  | { readonly root: { readonly number: Hex; readonly bytes: Hex } }

/** Something that a light client is sent, as in the vectors of signed headers. */
export interface HeaderStep {
  /** `import`: what the client held, as it exports it. */
  readonly form: 'bootstrap' | 'import' | 'update' | 'finality' | 'optimistic'
  readonly bytes: Hex
  /** The client's clock in seconds since 1970; a bootstrap and an import have none. */
  readonly now?: Hex
}

/**
 * Signed headers that did not hold, for `verifyProofFile`: the last step is what the node sent,
 * those before it are what the client held. Whoever reads it brings the checkpoint.
 */
export interface HeaderEvidence extends Pick<ProofFile, 'schema' | 'chain' | 'meta'> {
  readonly kind: 'evidence'
  /**
   * The finalized header that the first step follows from: the client's checkpoint, or a later one
   * that it proved.
   */
  readonly checkpoint: Hex
  readonly steps: readonly HeaderStep[]
  readonly expected: { readonly result: 'invalid'; readonly code: string }
}

/**
 * A block of a chain that follows an Ethereum chain, and what contradicts it there, for
 * `verifyContradiction`: another block of its number, another state root, or a second proof of a
 * value. Whoever signed the block vouched for something false.
 */
export interface ContradictionFile extends Pick<ProofFile, 'schema' | 'chain' | 'meta'> {
  readonly kind: 'contradiction'
  /** Headers from a trusted block to the one in question. */
  readonly source: Extract<SourceJson, { readonly header: unknown }>
  /** The header that the first step follows from, where the headers are signed. */
  readonly checkpoint?: Hex
  /** Signatures for the first header. */
  readonly steps?: readonly HeaderStep[]
  /** The followed chain, and its header of the block's number. */
  readonly follows: {
    readonly chain: Pick<ProofFile['chain'], 'kind' | 'chainId' | 'genesisHash'>
    readonly header: Hex
  }
  /**
   * Two proofs of one value: of the block, and of the block that it follows. Left out: the headers
   * differ.
   */
  readonly proofs?: readonly [ProofFile, ProofFile]
  readonly expected: { readonly result: 'invalid'; readonly code: 'verify.contradiction' }
}

/**
 * What a client keeps of a node that lied, or of a block that contradicts the chain that it
 * follows.
 */
export type Evidence = ProofFile | HeaderEvidence | ContradictionFile

/**
 * A proof that anybody can check offline with `verifyProofFile`. Nothing in it makes trust: the
 * reader brings the block hash that it is checked against.
 */
export interface ProofFile {
  readonly schema: 1
  /** `evidence` is a proof that failed. */
  readonly kind: 'proof' | 'evidence'
  readonly chain: {
    readonly kind: 'ethereum' | 'devnet' | 'attested'
    readonly chainId: number
    readonly genesisHash: Hex
    /** Where headers are signed, and so have another form: a devnet's. */
    readonly consensus?: Consensus
  }
  readonly system: SystemName
  readonly config: FileConfig
  readonly source: SourceJson
  /** The question's RLP, as the system defines it. */
  readonly query: Hex
  /** Which of the system's proof shapes it is. */
  readonly variant: string
  /** The core's proof RLP. */
  readonly proof: Hex
  /**
   * ISO 8601: from then on its maker wants it refused. Its word, which nothing binds: who holds the
   * file may change it, so a reader who asks for recency gives `maxAgeSeconds`, or compares
   * `trust.block.ageSeconds`, which the block's header binds.
   */
  readonly expires?: string
  /** What its maker found; a reader finds it out anew. */
  readonly expected: /** The fact in the system's JSON. */
    | { readonly result: 'valid'; readonly fact: object }
    | { readonly result: 'invalid'; readonly code: string }
  readonly meta?: {
    readonly servedBy?: string
    /** ISO 8601. */
    readonly createdAt?: string
    readonly note?: string
  }
}
