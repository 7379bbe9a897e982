/** What a sync tells while it runs. */

import type { Hex } from '../encoding/hex.js'
/**
 * What a light client is about to check: signed headers as a source sent them, or what was kept of
 * them.
 */
export interface HeaderProof {
  /** `import` is what was kept; the others are as the source's methods. */
  readonly form: 'bootstrap' | 'import' | 'update' | 'finality' | 'optimistic'
  readonly bytes: Uint8Array
  /** The hash under which a bootstrap, or what was kept, must prove itself. */
  readonly pinned?: Hex
}

/** Something that happened while a client synced. */
export type SyncEvent =
  | {
      readonly type: 'proof'
      readonly proof: HeaderProof
      /** The source that sent it, or `store`. */
      readonly source: string
    }
  | {
      readonly type: 'kept'
      /** All that was proven so far, in one: what `store` now holds. */
      readonly proof: HeaderProof
    }
  | {
      readonly type: 'progress'
      /** From the checkpoint, over the committees of each period, to the newest header. */
      readonly phase: 'bootstrap' | 'updates' | 'newest'
      /** The period that was reached. */
      readonly period: number
      /** The period to reach; undefined where the clock does not tell it (devnets). */
      readonly periods: number | undefined
      /** The source that is asked. */
      readonly source: string
    }
  | {
      readonly type: 'warning'
      /**
       * `store.damaged`: what was saved does not prove itself, and was dropped. The others: the
       * store failed.
       */
      readonly code: 'store.damaged' | 'store.load' | 'store.save'
      readonly error: unknown
    }

/** Hears what happens while a client syncs. */
export type SyncListener = (event: SyncEvent) => void
