import type { Client } from '../client/client.js'
import type { Block, Result } from '../result/result.js'
import { follow } from './follow.js'
import { parseParameters } from './parameters.js'
import { looks, parseWatch, WATCH_PARAMETERS, type WatchParameters } from './watch.js'

/** A block that came, or that is in the chain no longer. */
export interface BlockNews {
  readonly block: Block
  /**
   * True: it was left in a fork. Those come before the blocks that replace them, the newest first.
   */
  readonly removed: boolean
}

/**
 * Watches the chain from the newest trusted block on: each later block once, in order, linked to
 * the one before by its parent hash, so none is left out. They are signed, not final.
 *
 * @example
 * for await (const { block } of watchBlocks(client, { signal })) console.log(block.number)
 *
 * @throws InputError for a malformed argument or a client that pins a block, PlatformError, or the
 *   reason of the signal.
 */
export function watchBlocks(
  client: Client,
  parameters: WatchParameters = {},
): AsyncGenerator<BlockNews, never> {
  const watch = parseWatch(parseParameters(client, parameters, WATCH_PARAMETERS))
  const next = follow(client, watch.signal)
  return looks(watch, async (): Promise<Result<readonly BlockNews[], never>> => {
    const step = await next()
    if (step.status !== 'present') return step
    const { removed, added } = step.value
    const value = [
      ...removed.map((block) => ({ block, removed: true })),
      ...added.map((block) => ({ block, removed: false })),
    ]
    return { ...step, value }
  })
}
