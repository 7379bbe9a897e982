/**
 * What accounts were like when they were proven last, so as to ask of a new block only for what may
 * have changed.
 */

import { bytesOf, type Hex, toHex } from '../../../encoding/hex.js'
import { itemsOf, readRlp, stringOf } from '../../../encoding/readRlp.js'
import type { ProofRequest } from '../question.js'
import { codeFrom, slotFrom } from './accounts.js'
import type { NodeCache } from './nodeCache.js'

/** An account, as proven last. */
interface Habit {
  /** First node of its proof: that of another state is another. */
  readonly top: Hex
  readonly storageHash: Hex
  readonly codeHash: Hex
  /** Was its storage the same in two states, the last ones that it was proven of? */
  readonly isQuiet: boolean
}

const MAX_ACCOUNTS = 1024

/** Habits of accounts: guesses, which cost a request more where they are wrong. */
export class Habits {
  readonly #nodes: NodeCache
  readonly #known = new Map<Hex, Habit>()

  constructor(nodes: NodeCache) {
    this.#nodes = nodes
  }

  /** Takes in a proof that held. */
  note(proof: Uint8Array): void {
    const [address, , , storage, code, account] = itemsOf(readRlp(proof))
    const [first] = itemsOf(account)
    if (first === undefined) return
    const [who, storageHash, codeHash, top] = [address, storage, code, first].map((item) =>
      toHex(stringOf(item)),
    ) as [Hex, Hex, Hex, Hex]
    const before = this.#known.get(who)
    if (before?.top === top) return
    if (this.#known.size >= MAX_ACCOUNTS) this.#known.clear()
    this.#known.set(who, {
      top,
      storageHash,
      codeHash,
      isQuiet: before?.storageHash === storageHash,
    })
  }

  /**
   * The question without the slots and the code that are likely to be what they were; undefined if
   * there are none.
   */
  narrow({ address, slots, wantCode }: ProofRequest): ProofRequest | undefined {
    const habit = this.#known.get(address)
    if (habit === undefined) return undefined
    const { storageHash, codeHash, isQuiet } = habit
    const hasCode = wantCode && codeFrom(this.#nodes, bytesOf(codeHash)) !== undefined
    const hasSlots =
      isQuiet && slots.every((slot) => slotFrom(this.#nodes, bytesOf(storageHash), bytesOf(slot)))
    if (!hasCode && (!hasSlots || slots.length === 0)) return undefined
    return { address, slots: hasSlots ? [] : slots, wantCode: wantCode && !hasCode }
  }
}
