/**
 * A trusted head that is looked at again and again: which blocks came, and which were left in a
 * fork.
 */

import type { Client } from '../client/client.js'
import { isPinned, PINNED } from '../client/pinned.js'
import { InputError, UnavailableError } from '../result/errors.js'
import type { Block, Result, Trust } from '../result/result.js'
import { getBlock } from './getBlock.js'

/** Blocks between two looks. */
interface Step {
  /** Blocks that were told of and are in the chain no longer, the newest first. */
  readonly removed: readonly Block[]
  /** Blocks that follow, the oldest first. */
  readonly added: readonly Block[]
  /** Of the newest block. */
  readonly trust: Trust
}

/** Looks for what is new since it was last called. */
export type Follow = () => Promise<Result<Step, never>>

/** Blocks that are remembered, to find where a fork began. */
const MAX_KNOWN = 256
/** Most blocks between two looks: an app that slept for longer starts anew. */
const MAX_STEP = 1024

/**
 * Follows the newest trusted block. The first call finds no block added: it is where the follower
 * starts from. Every later one links its blocks to those before by parent hashes, so none is left
 * out; a look that fails changes nothing.
 *
 * @throws InputError `input.anchor` for a client that pins a block.
 */
export function follow(client: Client, signal: AbortSignal | undefined): Follow {
  if (isPinned(client)) throw new InputError('input.anchor', 'client', PINNED)
  const end = signal === undefined ? {} : { signal }
  let known: readonly Block[] = []
  return async () => {
    const head = await getBlock(client, { block: 'head', ...end })
    if (head.status !== 'present') return head
    const last = known.at(-1)
    const added: Block[] = []
    let next = head.value
    let common = known.length - 1
    if (last === undefined) known = [next]
    else {
      while (true) {
        while (common >= 0 && (known[common]?.number ?? 0n) > next.number) common--
        if (known[common]?.hash === next.hash || common < 0) break
        added.unshift(next)
        if (added.length > MAX_STEP) {
          const problem = `more than ${MAX_STEP} blocks since block ${last.number}: start anew`
          return { status: 'unavailable', error: new UnavailableError('limit', problem), tried: [] }
        }
        const block = { number: next.number - 1n, hash: next.parentHash }
        const parent: Result<Block, never> = await getBlock(client, { block, ...end })
        if (parent.status !== 'present') return parent
        next = parent.value
      }
    }
    // A head that was told of before takes nothing back: who names it may be behind.
    const isNewer = added.length > 0
    const removed = isNewer ? known.slice(common + 1).reverse() : []
    if (isNewer) known = [...known.slice(0, common + 1), ...added].slice(-MAX_KNOWN)
    return { ...head, value: { removed, added, trust: head.trust } }
  }
}
