/**
 * `eth_subscribe`, by asking again and again. New heads are proven headers, none left out unless
 * there are very many.
 */

import { getBlock } from '../actions/getBlock.js'
import { isPinned, PINNED } from '../client/pinned.js'
import { toHex } from '../encoding/hex.js'
import { shown } from '../encoding/input.js'
import type { BlockLike } from '../proving/at.js'
import type { Json } from '../result/json.js'
import { getBlockJson } from './blockJson.js'
import type { Poll, ProviderExtension, Source } from './extension.js'
import type { Ask } from './methods.js'
import { unprovable } from './rpcError.js'

/** Blocks between two polls that are told one by one; of more, the newest. */
const MOST_AT_ONCE = 32

/** Tells a subscriber. */
export type Tell = (data: { readonly subscription: string; readonly result: Json }) => void

/** Subscriptions of one provider. */
export class Subscriptions {
  readonly #running = new Map<string, AbortController>()
  readonly #pollMs: number
  readonly #tell: Tell
  readonly #sources: ReadonlyMap<string, Source>

  constructor(pollMs: number, extensions: readonly ProviderExtension[], tell: Tell) {
    this.#pollMs = pollMs
    this.#tell = tell
    const added = extensions.flatMap(({ subscriptions = {} }) => Object.entries(subscriptions))
    this.#sources = new Map<string, Source>([['newHeads', newHeads], ...added])
  }

  /**
   * @param ask - its signal is replaced: each subscription ends by itself.
   * @throws ProviderRpcError 4200 for an unknown kind, and where no newer head can be proven.
   */
  add(ask: Ask): string {
    const [kind] = ask.params
    const source = typeof kind === 'string' ? this.#sources.get(kind) : undefined
    if (source === undefined) {
      const known = [...this.#sources.keys()].join(', ')
      throw unprovable(`only ${known} can be proven; got a subscription to ${shown(kind)}`)
    }
    if (isPinned(ask.client)) throw unprovable(PINNED)
    const id = toHex(crypto.getRandomValues(new Uint8Array(16)))
    const controller = new AbortController()
    // `clear` aborts all of them when the provider is closed.
    const { signal } = controller
    const tell = (result: Json): void => {
      if (!signal.aborted) this.#tell({ subscription: id, result })
    }
    const poll = oneAtATime(source({ ...ask, signal }, tell), signal)
    const timer = setInterval(poll, this.#pollMs)
    signal.addEventListener('abort', () => clearInterval(timer))
    this.#running.set(id, controller)
    poll()
    return id
  }

  /** Was there such a subscription? */
  remove([id]: readonly unknown[]): boolean {
    if (typeof id !== 'string') return false
    this.#running.get(id)?.abort()
    return this.#running.delete(id)
  }

  /** Ends all of them. */
  clear(): void {
    for (const id of this.#running.keys()) this.remove([id])
  }
}

function newHeads({ client, signal }: Ask, tell: (block: Json) => void): Poll {
  let last: bigint | undefined
  const blockAt = async (block: BlockLike): Promise<void> => {
    const result = await getBlockJson(client, block, signal)
    if (result.status === 'present') tell(result.value)
  }
  return async () => {
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
}

/** A poll that fails is made good by the next. */
function oneAtATime(poll: Poll, signal: AbortSignal): () => void {
  let busy = false
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
