/**
 * Logs of new blocks, none left out: what could not be proven at one look is looked for at the
 * next.
 */

import { type Follow, follow } from '../../actions/follow.js'
import type { Client } from '../../client/client.js'
import type { Hash } from '../../encoding/input.js'
import type { Block, Result } from '../../result/result.js'
import type { LogFilter } from '../../systems/body/types.js'
import { type BlockLog, searchBlock } from './getLogs.js'

/** A log that came, or that is in the chain no longer. */
export interface LogNews extends BlockLog {
  /** True: its block was left in a fork. */
  readonly removed: boolean
}

/** Blocks whose logs are remembered, in case that they are left in a fork. */
const MAX_TOLD = 256

/** Follows the newest trusted block, and its logs. */
export class LogFollower {
  readonly #client: Client
  readonly #filter: LogFilter
  readonly #signal: AbortSignal | undefined
  readonly #follow: Follow
  /** What was found and not handed out, for a later block was not proven. */
  #ready: LogNews[] = []
  /** Blocks that are not searched yet, the oldest first. */
  #owed: readonly Block[] = []
  readonly #told = new Map<Hash, readonly BlockLog[]>()

  /** @throws InputError `input.anchor` for a client that pins a block. */
  constructor(client: Client, filter: LogFilter, signal: AbortSignal | undefined) {
    this.#client = client
    this.#filter = filter
    this.#signal = signal
    this.#follow = follow(client, signal)
  }

  /**
   * What is new since the last call that found something out; the first call is where it starts
   * from.
   */
  async next(): Promise<Result<readonly LogNews[], never>> {
    const step = await this.#follow()
    if (step.status !== 'present') return step
    const { added, removed } = step.value
    for (const block of removed) this.#forget(block)
    this.#owed = [...this.#owed, ...added]
    const failed = await this.#search()
    if (failed !== undefined) return failed
    const value = this.#ready
    this.#ready = []
    return { ...step, value }
  }

  /** The first failure. */
  async #search(): Promise<Result<never, never> | undefined> {
    const end = this.#signal === undefined ? {} : { signal: this.#signal }
    for (const block of [...this.#owed]) {
      const question = { ...this.#filter, hashes: true, ...end }
      const found = await searchBlock(this.#client, question, block)
      if (found.status !== 'present') return found as Result<never, never>
      for (const log of found.value) this.#ready.push({ ...log, removed: false })
      this.#told.set(block.hash, found.value)
      this.#owed = this.#owed.slice(1)
    }
    for (const hash of [...this.#told.keys()].slice(0, -MAX_TOLD)) this.#told.delete(hash)
    return undefined
  }

  #forget({ hash }: Block): void {
    this.#owed = this.#owed.filter((block) => block.hash !== hash)
    const logs = this.#told.get(hash) ?? []
    this.#told.delete(hash)
    for (const log of [...logs].reverse()) this.#ready.push({ ...log, removed: true })
  }
}
