/**
 * `eth_getLogs`, filters and subscriptions to logs. Filters are kept here: no node learns which
 * there are.
 */

import { follow } from '../../actions/follow.js'
import { getBlock } from '../../actions/getBlock.js'
import type { Client } from '../../client/client.js'
import { isPinned, PINNED } from '../../client/pinned.js'
import { toHex } from '../../encoding/hex.js'
import { isRecord, shown } from '../../encoding/input.js'
import { getLogs, searchBlock } from '../../ethereum/blocks/getLogs.js'
import { LogFollower, type LogNews } from '../../ethereum/blocks/logNews.js'
import type { Json } from '../../result/json.js'
import type { LogFilter } from '../../systems/body/types.js'
import { blockOf } from '../blockTag.js'
import type { Poll } from '../extension.js'
import type { Answer, Ask } from '../methods.js'
import { invalidParams, ProviderRpcError, RPC_CODES, unprovable } from '../rpcError.js'
import { logJson } from './json.js'
import { need } from './lists.js'

/** A filter that was made and not yet uninstalled. */
interface Filter {
  /** Of the chain that the provider was at. */
  readonly client: Client
  /** Undefined for a filter of blocks. */
  readonly logs: Given | undefined
  /** What is new since it was last asked. */
  readonly news: () => Promise<Answer>
}

/** The filters of one provider, by id. */
export type FilterStore = Map<string, Filter>

/** Maximum number of filters of a provider; an application with more leaks them. */
const MAX_FILTERS = 256

interface Given {
  readonly filter: LogFilter
  readonly from: unknown
  readonly to: unknown
  readonly blockHash: unknown
}

/** All logs of a filter in a range, or in one block. */
export async function logsOf(ask: Ask): Promise<Answer> {
  return search(ask, parseFilter(ask.params[0]))
}

async function search(ask: Ask, { filter, from, to, blockHash }: Given): Promise<Answer> {
  const { client, signal } = ask
  if (blockHash !== undefined) {
    const block = need(await getBlock(client, { block: parseHash(blockHash), signal })).value
    const { value, trust } = need(
      await searchBlock(client, { ...filter, hashes: true, signal }, block),
    )
    return { result: value.map((log) => logJson(log)), trust }
  }
  const [fromBlock, toBlock] = [await numberOf(ask, from), await numberOf(ask, to)]
  // A range that ends beyond all that is trusted is refused: the answer could not say so.
  need(await getBlock(client, { block: toBlock, signal }))
  const { value, trust } = need(await getLogs(client, { ...filter, fromBlock, toBlock, signal }))
  return { result: value.logs.map((log) => logJson(log)), trust }
}

async function numberOf({ client, signal }: Ask, tag: unknown): Promise<bigint> {
  const block = blockOf(client, tag)
  if (typeof block === 'bigint') return block
  const found = await getBlock(client, block === undefined ? { signal } : { block, signal })
  return need(found).value.number
}

/** Makes a filter of logs; its changes start at the next block. */
export async function newFilter(ask: Ask, filters: FilterStore): Promise<Answer> {
  return make(ask, filters, parseFilter(ask.params[0]))
}

/** Makes a filter of blocks. */
export async function newBlockFilter(ask: Ask, filters: FilterStore): Promise<Answer> {
  return make(ask, filters, undefined)
}

async function make(
  { client, signal }: Ask,
  filters: FilterStore,
  logs: Given | undefined,
): Promise<Answer> {
  if (isPinned(client)) throw unprovable(PINNED)
  if (filters.size >= MAX_FILTERS) {
    const problem = `there are ${MAX_FILTERS} filters: uninstall some by eth_uninstallFilter`
    throw new ProviderRpcError(RPC_CODES.limitExceeded, problem)
  }
  const news = logs === undefined ? newBlocks(client, signal) : newLogs(client, logs, signal)
  const { trust } = await news()
  const id = toHex(crypto.getRandomValues(new Uint8Array(16)))
  filters.set(id, { client, logs, news })
  return { result: id, trust }
}

function newBlocks(client: Client, signal: AbortSignal): () => Promise<Answer> {
  const next = follow(client, signal)
  return async () => {
    const { value, trust } = need(await next())
    return { result: value.added.map(({ hash }) => hash), trust }
  }
}

function newLogs(client: Client, { filter }: Given, signal: AbortSignal): () => Promise<Answer> {
  const follower = new LogFollower(client, filter, signal)
  return async () => {
    const { value, trust } = need<readonly LogNews[]>(await follower.next())
    return { result: value.map((log) => logJson(log, log.removed)), trust }
  }
}

/**
 * What is new since the last call: logs, or hashes of blocks. Logs of blocks left in a fork come
 * again, as removed.
 */
export async function filterChanges(ask: Ask, filters: FilterStore): Promise<Answer> {
  return filterOf(ask, filters).news()
}

/** All logs of the filter's range. */
export async function filterLogs(ask: Ask, filters: FilterStore): Promise<Answer> {
  const { client, logs } = filterOf(ask, filters)
  if (logs === undefined) throw invalidParams('it is a filter of blocks')
  return search({ ...ask, client }, logs)
}

/** Was there such a filter? */
export async function uninstallFilter(
  { params: [id] }: Ask,
  filters: FilterStore,
): Promise<Answer> {
  return { result: filters.delete(String(id)), trust: undefined }
}

function filterOf({ params: [id] }: Ask, filters: FilterStore): Filter {
  const filter = filters.get(String(id))
  if (filter !== undefined) return filter
  // In these words nodes say it, and libraries look for them.
  throw new ProviderRpcError(-32000, 'filter not found')
}

/** Tells of every log of the filter, from the next block on. */
export function pollLogs({ client, params, signal }: Ask, tell: (log: Json) => void): Poll {
  const follower = new LogFollower(client, parseFilter(params[1] ?? {}).filter, signal)
  return async () => {
    for (const log of need<readonly LogNews[]>(await follower.next()).value) {
      tell(logJson(log, log.removed))
    }
  }
}

function parseHash(value: unknown): string {
  if (typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)) return value
  throw invalidParams(`expected a block's hash, got ${shown(value)}`)
}

function parseFilter(value: unknown): Given {
  if (!isRecord(value)) throw invalidParams(`expected a filter, got ${shown(value)}`)
  const { address, topics, fromBlock: from, toBlock: to, blockHash } = value
  if (blockHash !== undefined && (from !== undefined || to !== undefined)) {
    throw invalidParams('blockHash goes with neither fromBlock nor toBlock')
  }
  // Checked by the action. Nodes take null for any.
  const filter = {
    ...(address != null && { address }),
    ...(topics != null && { topics }),
  } as LogFilter
  return { filter, from, to, blockHash }
}
