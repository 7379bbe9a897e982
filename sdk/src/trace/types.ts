/** The steps of a check, as the core tells them. */

import type { Hex } from '../encoding/hex.js'
import type { HeaderProof } from '../light/events.js'
import type { SystemName } from '../systems/registry.js'
import type { OpenTrace, TraceSource } from './load.js'

/** What kind of step it is. */
export type StepKind =
  /** A part of the check begins; its fields stand in all steps of that part. */
  | 'entered'
  /** Bytes were hashed, and the hash is the one that something trusted refers to. */
  | 'hashed'
  /** Two things were held against each other, and agree. */
  | 'compared'
  /** An equation about a commitment was written down, to be settled with all others. */
  | 'opened'
  /** A challenge was drawn from everything that it must bind. */
  | 'drew'
  /** The equations were settled, or a signature. */
  | 'settled'
  /** The check broke here: `what` is the error code. */
  | 'rejected'

/** One step of a check, in its order. Fields that a step does not have are left out. */
export interface Step {
  /** Number of the claim, from 0; null where equations of all claims are settled. */
  readonly claim: number | null
  readonly kind: StepKind
  /** In fixed words: a trie node, a leaf, an error code. */
  readonly what: string
  /**
   * The bytes in the proof, first and one past the last; null if the step is not about some of
   * them.
   */
  readonly span: readonly [number, number] | null
  /** The part of the check that it belongs to. */
  readonly section?: string
  /** Microseconds since the start, as exact as the platform tells. */
  readonly at: number
  /** What the bytes hash to. */
  readonly digest?: Hex
  /** Hashes made in this step, if more or fewer than one. */
  readonly hashes?: number
  /** Bytes hashed, if they are not those of the span. */
  readonly bytes?: number
  /** Equations settled. */
  readonly equations?: number
  /** Scalar multiplications. */
  readonly terms?: number
  /** Miller loops. */
  readonly loops?: number
  /** Final exponentiations. */
  readonly exponentiations?: number
  /** Where in the tree: nibbles, levels or layers above it. */
  readonly depth?: number
  /** What else the system says of the step. */
  readonly [field: string]: unknown
}

/** What a check took, summed up. */
export interface Counts {
  readonly steps: number
  /** Steps past what a trace holds, half a megabyte of text; the other counts are without them. */
  readonly omitted: number
  /** Of steps that hash; what a step does beside its kind is not counted. */
  readonly hashes: number
  readonly bytesHashed: number
  readonly compared: number
  /** Equations written down. */
  readonly opened: number
  /** Scalar multiplications. */
  readonly terms: number
  /** Pairings, as Miller loops. */
  readonly loops: number
  readonly exponentiations: number
  /** From the start to the last step, as exact as the platform tells. */
  readonly microseconds: number
}

/** What the core says of the proof. */
export type Verdict =
  | {
      readonly status: 'proven'
      readonly block: { readonly number: Hex; readonly hash: Hex | null }
      /** In the system's JSON. */
      readonly fact: unknown
    }
  | {
      readonly status: 'rejected'
      /** Whose fault it is: the caller's, the encoding's, or a lie's. */
      readonly kind: 'input' | 'decode' | 'verify'
      readonly code: string
      readonly message: string
      /** The bytes of the proof (or header) that are to blame. */
      readonly span: readonly [number, number] | null
    }

/** Settings of `traceProofFile` and `traceHeaders`. */
export interface TraceOptions {
  /** The system's public parameters, if the file names them by digest alone. */
  readonly params?: Uint8Array
  /**
   * The module, or a function that reads the module of a name. Default: read from this package's
   * files. Used for the first trace by each module only.
   */
  readonly wasm?: TraceSource | OpenTrace
}

/** A proof's verdict, and how the core came to it. */
export interface Trace {
  readonly system: SystemName
  readonly variant: string
  /** The core's proof, which spans point into. */
  readonly proof: Uint8Array
  readonly verdict: Verdict
  readonly steps: readonly Step[]
  readonly counts: Counts
}

/** How a light client came from its checkpoint to the newest signed header, or where that broke. */
export interface HeadersTrace {
  /**
   * As they were given; a step's `claim` is the number of the proof that it is about, and its span
   * points into that.
   */
  readonly proofs: readonly HeaderProof[]
  /** The proof that does not hold, and why. */
  readonly rejected:
    | {
        readonly code: string
        readonly message: string
        readonly span: readonly [number, number] | null
        readonly proof: number
      }
    | undefined
  readonly steps: readonly Step[]
  readonly counts: Counts
}
