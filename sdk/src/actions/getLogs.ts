import type { Client } from '../client/client.js'
import type { Hash } from '../encoding/input.js'
import { parseInteger, shown } from '../encoding/input.js'
import type { BlockLike } from '../proving/at.js'
import { InputError } from '../result/errors.js'
import type { Block, Present, Result } from '../result/result.js'
import type { FoundLog, LogFilter } from '../systems/body/types.js'
import type { Given } from '../systems/system.js'
import { proveBody } from './blockBody.js'
import { getBlock } from './getBlock.js'
import { parseParameters, parseSignal } from './parameters.js'

/** A filter of logs, and a range of blocks. */
export interface LogsParameters extends LogFilter {
  /** First block. */
  readonly fromBlock: number | bigint
  /** Last block, included: at most 9,999 after the first. */
  readonly toBlock: number | bigint
  /**
   * Whether logs come with their transactions' hashes, for which transactions are fetched too.
   * Default true.
   */
  readonly hashes?: boolean
  /** Told after each block, the newest first. What it throws ends nothing. */
  readonly onProgress?: (progress: LogsProgress) => void
  /** Aborts the action, which then throws the signal's reason. */
  readonly signal?: AbortSignal
}

/** How far a search is. */
export interface LogsProgress {
  /** The block that was searched last; the search goes on below it. */
  readonly block: bigint
  /** Blocks that are left. */
  readonly left: number
  /** Logs that were found so far. */
  readonly found: number
}

/** A log that was found, and its block. */
export interface BlockLog extends FoundLog {
  readonly blockNumber: bigint
  readonly blockHash: Hash
}

/** All logs of a filter in a range, oldest first; there are no others. */
export interface Logs {
  readonly logs: readonly BlockLog[]
  readonly complete: true
  readonly fromBlock: bigint
  readonly toBlock: bigint
}

const NAMES = [
  'address',
  'topics',
  'fromBlock',
  'toBlock',
  'hashes',
  'onProgress',
  'signal',
] as const
const MAX_BLOCKS = 10_000

/**
 * Proves all logs of a filter in a range, and that there are no others: each block by its header's
 * Bloom filter, or by all of its receipts where that says maybe.
 *
 * @returns present; invalid or unavailable, as the first block that is not proven is. Never absent:
 *   no log is an empty list. The trust report is the newest block's.
 * @throws InputError for a malformed argument, PlatformError, or the reason of an aborted signal.
 */
export async function getLogs(
  client: Client,
  parameters: LogsParameters,
): Promise<Result<Logs, never>> {
  const given = parseParameters(client, parameters, NAMES)
  const { address, topics, hashes = true, onProgress, signal } = given
  const [from, to] = parseRange(given)
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    const problem = `expected a function, got ${shown(onProgress)}`
    throw new InputError('input.option', 'onProgress', problem)
  }
  const filter = {
    ...(address !== undefined && { address }),
    ...(topics !== undefined && { topics }),
  }
  const stop = parseSignal(signal)
  const end = stop === undefined ? {} : { signal: stop }
  const logs: BlockLog[][] = []
  let newest: Present<unknown> | undefined
  let found = 0
  // By parent hashes: a chain that is reorganized meanwhile is not mixed with the one before.
  let target: BlockLike = to
  for (let left = Number(to - from); left >= 0; left--) {
    const block: Result<Block, never> = await getBlock(client, { block: target, ...end })
    if (block.status !== 'present') return block
    const { number, parentHash } = block.value
    const searched = await searchBlock(client, { ...filter, hashes, ...end }, block.value)
    if (searched.status !== 'present') return searched
    newest ??= searched
    found += searched.value.length
    logs.push(searched.value)
    tell(onProgress, { block: number, left, found })
    target = { number: number - 1n, hash: parentHash }
  }
  if (newest === undefined) throw new TypeError('a range has a block')
  const value = {
    logs: logs.reverse().flat(),
    complete: true,
    fromBlock: from,
    toBlock: to,
  } as const
  return { status: 'present', value, trust: newest.trust }
}

/** All logs of a filter in one block; with `hashes`, each with its transaction's hash. */
export async function searchBlock(
  client: Client,
  { hashes, ...filter }: Given,
  block: Block,
): Promise<Result<BlockLog[], never>> {
  const question = { ...filter, at: block }
  const first = await proveBody(client, { ...question, list: 'bloom' }, 'bloom')
  if (first.status !== 'present') return first
  if (!first.value.bloom) return { ...first, value: [] }
  const all = await proveBody(client, { ...question, hashes, list: 'logs' }, 'logs')
  if (all.status !== 'present') return all
  const place = { blockNumber: block.number, blockHash: block.hash }
  return { ...all, value: all.value.logs.map((log) => ({ ...log, ...place })) }
}

function parseRange({ fromBlock, toBlock }: Given): readonly [bigint, bigint] {
  const [from, to] = Object.entries({ fromBlock, toBlock }).map(([argument, value]) => {
    const bounds = { min: 0, max: Number.MAX_SAFE_INTEGER, code: 'input.block' } as const
    return parseInteger(typeof value === 'bigint' ? Number(value) : value, argument, bounds)
  })
  if (from === undefined || to === undefined || to < from || to - from >= MAX_BLOCKS) {
    const problem = `expected a block from fromBlock on, at most ${MAX_BLOCKS} blocks in all`
    throw new InputError('input.block', 'toBlock', problem)
  }
  return [BigInt(from), BigInt(to)]
}

function tell(listener: unknown, progress: LogsProgress): void {
  try {
    if (typeof listener === 'function') listener(progress)
  } catch {
    // A listener's fault is not the search's.
  }
}
