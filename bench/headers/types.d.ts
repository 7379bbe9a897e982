/** What the clients that check signed headers are given, and what is timed of them. */

/** Shape of a period's containers, as lodestar calls its fork. */
export type Fork = 'electra' | 'gloas'

/** A period by mainnet's rules as beacon nodes serve it, in SSZ. */
export interface HeaderData {
  readonly id: string
  /** Fork, and where the period is from. */
  readonly title: string
  readonly fork: Fork
  /** RLP of the chain as our client pins it. */
  readonly chain: Uint8Array
  readonly forkVersion: Uint8Array
  readonly genesisValidatorsRoot: Uint8Array
  /** Root of the bootstrap's header. */
  readonly checkpoint: Uint8Array
  readonly bootstrap: Uint8Array
  /** With the next committee. */
  readonly update: Uint8Array
  /** The same without it. */
  readonly finality: Uint8Array
  /** Slot that both finalize. */
  readonly finalized: number
  /** The clock: the slot after the signature's. */
  readonly slot: number
}

/** Makes everything ready, and returns what is timed. */
export type Task = () => () => unknown

export type TaskName = 'bootstrap' | 'cold' | 'cached' | 'finality'

export type Tasks = Readonly<Partial<Record<TaskName, Task>>>

/**
 * A light client, ready to be timed, or what does one of its tasks. Each task throws if the data
 * does not hold.
 */
export interface Client {
  readonly id: string
  readonly title: string
  /** Shapes that it reads. */
  readonly forks: readonly Fork[]
  load(data: HeaderData): Promise<Tasks>
}
