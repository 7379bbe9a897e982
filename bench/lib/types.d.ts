/** What the parts of the benchmark hand to each other. */

import type { Question } from '../browser/types.js'

/** What RLP holds. */
export type RlpItem = Uint8Array | readonly RlpItem[]

/** What RLP holds, with byte strings in a library's own form. */
export type Nested<T> = T | readonly Nested<T>[]

/** What a proof of mpt proves, in one form for all engines. */
export interface Fact {
  readonly account: {
    readonly nonce: bigint
    readonly balance: bigint
    readonly storageHash: string
    readonly codeHash: string
  } | null
  /** In the order asked for; 0 for an absent slot. */
  readonly slots: readonly bigint[]
}

/** One record of the schema that test vectors and proof files share. */
export interface ProofRecord {
  readonly chain: { readonly kind: string; readonly chainId: number; readonly genesisHash: string }
  readonly system: string
  readonly config: { readonly format: string }
  readonly source: { readonly root: { readonly number: string; readonly bytes: string } }
  readonly query: string
  readonly variant: string
  readonly proof: string
}

/** The parts of a record's proof, as bytes: what engines other than ours take. */
export interface ProofParts {
  readonly root: Uint8Array
  readonly address: Uint8Array
  readonly storageHash: Uint8Array
  readonly accountProof: readonly Uint8Array[]
  readonly slots: readonly { readonly key: Uint8Array; readonly proof: readonly Uint8Array[] }[]
}

/** One proof to check. */
export interface BenchCase {
  /** Stable: reports are compared by it. */
  readonly id: string
  readonly title: string
  readonly record: ProofRecord
  /**
   * What it proves, in one form for all engines: a {@link Fact}, or what another system's core
   * says.
   */
  readonly expected: unknown
}

/** Something that checks proofs. */
export interface Engine {
  readonly id: string
  readonly title: string
  /**
   * Readies everything that a caller would keep from proof to proof, and returns the check of this
   * one. The check throws on a proof that does not hold.
   */
  prepare(bench: BenchCase): Promise<() => unknown>
  /** The fact in a result of the check. */
  fact(result: unknown): unknown
}

/** A system's part of the benchmark, in `cases/`. */
export interface Suite {
  readonly system: string
  /** Cases over a state of so many accounts, made by a program of this profile of cargo's. */
  cases(how: { readonly profile: string; readonly accounts: number }): Promise<readonly BenchCase[]>
  /**
   * Modules in `engines/` that export `engine`; the first is ours, to which the others are
   * compared.
   */
  readonly engines: readonly string[]
}

/** A suite that measures by itself: not claims under a root, but something else. */
export interface OwnSuite {
  readonly system: string
  /** Head of its table's first column. */
  readonly title: string
  /** What its figures are, in a sentence or two. */
  readonly about: string
  /** Head of the column of `peerBytes`, if its rows have them. */
  readonly peer?: string
  run(options: { readonly rounds: number; readonly log: (line: string) => void }): Promise<{
    readonly rows: readonly Row[]
    readonly titles: Report['titles']
    /** What the figures of this run say of a target; stands after `about`. */
    readonly note?: string
    /** What our module is asked, by the id of a case: browsers are asked the same. */
    readonly questions?: ReadonlyMap<string, Question>
  }>
}

/** One line of the report. */
export interface Row {
  /** Rows of one system make a table; left out, of proofs under a root. */
  readonly system?: string
  readonly case: string
  readonly engine: string
  readonly medianUs: number
  /** What its cell says in place of the time. */
  readonly shown?: string
  /** How many checks were timed. */
  readonly runs: number
  /** 0 where there is no proof. */
  readonly proofBytes: number
  /** What another structure's proof of the same has; 0 where there is none. */
  readonly peerBytes?: number
  /** Median, over the rounds, of this engine's time by ours in the same round; null for ours. */
  readonly ratioToOurs: number | null
}

/** Bytes of what is shipped. */
export interface Size {
  readonly name: string
  readonly raw: number
  readonly gzip: number
  readonly brotli: number
}

/** The report, as `--json` writes it. */
export interface Report {
  readonly schema: 1
  readonly commit: string
  readonly machine: string
  readonly node: string
  /**
   * Processes that ran or waited, by the system's average of the last minute: the measured one is
   * among them.
   */
  readonly load: number
  readonly titles: {
    readonly cases: Record<string, string>
    readonly engines: Record<string, string>
    /** Of suites that measure by themselves: head of the table, and what to say below it. */
    readonly systems?: Record<
      string,
      { readonly title: string; readonly about: string; readonly peer?: string | undefined }
    >
  }
  readonly rows: readonly Row[]
  readonly sizes: readonly Size[]
}
