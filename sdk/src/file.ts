/** The one schema of proof files and evidence, shared with test-vectors/schema.json. */

import type { Consensus } from './consensus.js'
import type { Hex } from './encoding/hex.js'
import type { Hash } from './encoding/input.js'

/** The core's fact about an account, as JSON. */
export interface FactJson {
  readonly account:
    | {
        readonly status: 'present'
        readonly nonce: Hex
        readonly balance: Hex
        readonly storageHash: Hash
        readonly codeHash: Hash
      }
    | { readonly status: 'absent' }
  readonly slots: readonly (
    | { readonly key: Hex; readonly status: 'present'; readonly value: Hex }
    | { readonly key: Hex; readonly status: 'absent' }
  )[]
  readonly code?: Hex
}

/** Where a file's root comes from: headers linked back from a block hash, or a bare root. */
export type SourceJson =
  | { readonly header: { readonly hash: Hex; readonly rlps: readonly Hex[] } }
  | { readonly root: { readonly number: Hex; readonly bytes: Hex } }

/**
 * A proof that anybody can check offline with `verifyProofFile`. Nothing in it makes trust: the reader brings the block
 * hash that it is checked against.
 */
export interface ProofFile {
  readonly schema: 1
  /** `evidence` is a proof that failed. */
  readonly kind: 'proof' | 'evidence'
  readonly chain: {
    readonly kind: 'ethereum' | 'devnet'
    readonly chainId: number
    readonly genesisHash: Hex
    /** Where headers are signed, and so have another form: a devnet's. */
    readonly consensus?: Consensus
  }
  readonly system: 'mpt'
  readonly config: { readonly format: 'mpt/1' }
  readonly source: SourceJson
  /** RLP `[address, [slot…], wantCode]`. */
  readonly query: Hex
  readonly variant: 'plain'
  /** The core's proof RLP. */
  readonly proof: Hex
  /** What its maker found; a reader finds it out anew. */
  readonly expected:
    | { readonly result: 'valid'; readonly fact: FactJson }
    | { readonly result: 'invalid'; readonly code: string }
  readonly meta?: {
    readonly servedBy?: string
    /** ISO 8601. */
    readonly createdAt?: string
    readonly note?: string
  }
}
