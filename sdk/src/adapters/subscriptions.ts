/** `eth_subscribe` to new heads, by asking for them: proven headers, none left out unless there are very many. */

import { getBlock } from '../actions/getBlock.js'
import type { Client } from '../client/client.js'
import { toHex } from '../encoding/hex.js'
import { shown } from '../encoding/input.js'
import type { BlockLike } from '../proving/at.js'
import type { Json } from '../result/json.js'
import { getBlockJson } from './blockJson.js'
import { unprovable } from './rpcError.js'

/** Blocks between two polls that are told one by one; of more, the newest. */
const MOST_AT_ONCE = 32

/** Tells a subscriber. */
export type Tell = (data: { readonly subscription: string; readonly result: Json }) => void

/** Subscriptions of one provider. */
export class Subscriptions {
  readonly #timers = new Map<string, ReturnType<typeof setInterval>>()
  readonly #pollMs: number
  readonly #tell: Tell

  constructor(pollMs: number, tell: Tell) {
    this.#pollMs = pollMs
    this.#tell = tell
  }

  /** @throws ProviderRpcError 4200 for anything but new heads, and where no newer head can be proven. */
  add(client: Client, [kind]: readonly unknown[], signal: AbortSignal): string {
    if (kind !== 'newHeads') {
      throw unprovable(`only newHeads can be proven; got a subscription to ${shown(kind)}`)
    }
    if (client.light === undefined) {
      throw unprovable('a pinned block has no newer heads: give the client a checkpoint')
    }
    const id = toHex(crypto.getRandomValues(new Uint8Array(16)))
    const poll = poller(client, signal, (result) => this.#tell({ subscription: id, result }))
    const timer = setInterval(poll, this.#pollMs)
    this.#timers.set(id, timer)
    poll()
    return id
  }

  /** Was there such a subscription? */
  remove([id]: readonly unknown[]): boolean {
    if (typeof id !== 'string') return false
    clearInterval(this.#timers.get(id))
    return this.#timers.delete(id)
  }

  /** Ends all of them. */
  clear(): void {
    for (const id of this.#timers.keys()) this.remove([id])
  }
}

/** One poll at a time; a poll that fails is made good by the next. */
function poller(client: Client, signal: AbortSignal, tell: (block: Json) => void): () => void {
  let last: bigint | undefined
  let busy = false
  const blockAt = async (block: BlockLike): Promise<void> => {
    const result = await getBlockJson(client, block, signal)
    if (result.status === 'present' && !signal.aborted) tell(result.value)
  }
  const poll = async (): Promise<void> => {
    const head = await getBlock(client, { block: 'head', signal })
    if (head.status !== 'present' || head.value.number === last) return
    const { number } = head.value
    // The first head is where the subscriber starts from, and no news.
    const isNews = last !== undefined && number > last
    const from = isNews ? (last ?? number) + 1n : number
    last = number
    if (!isNews) return
    const first = number - from < MOST_AT_ONCE ? from : number
    for (let next = first; next < number; next++) await blockAt(next)
    await blockAt(head.value)
  }
  return () => {
    if (busy || signal.aborted) return
    busy = true
    poll()
      .catch(() => undefined)
      .finally(() => {
        busy = false
      })
  }
}
