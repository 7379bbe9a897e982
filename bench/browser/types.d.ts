/** What a page is asked to time. */

import type { EngineName } from '../../scripts/engines/types.ts'
import type { TaskName } from '../headers/types.js'

/** A check of a proof; bytes are in hex. */
export interface ProofQuestion {
  readonly kind: 'proof'
  readonly module: string
  /** Name of the class in the module. */
  readonly verifier: string
  readonly chain: string
  readonly config: string
  readonly params: string
  readonly claims: string
  /** Whether equations over curves are combined at random. */
  readonly isCombined: boolean
}

/** A task of a light client; the data's bytes are in hex. */
export interface HeadersQuestion {
  readonly kind: 'headers'
  readonly task: TaskName
  /** As `HeaderData` has it. */
  readonly data: Readonly<Record<string, unknown>>
}

export type Question = ProofQuestion | HeadersQuestion

/** The engines on this machine, each with a page that times what it is asked to. */
export interface Browsers {
  /** Id and title of each engine's column. */
  readonly titles: readonly (readonly [id: string, title: string])[]
  /** Median microseconds of a check, by the id of a column. */
  measure(question: Question): Promise<ReadonlyMap<string, Measured>>
  close(): Promise<void>
}

export interface Measured {
  readonly engine: EngineName
  readonly medianUs: number
  readonly runs: number
}
