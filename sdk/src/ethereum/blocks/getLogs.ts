import { blocksBelow } from '../../actions/blocksBelow.js'
import { getBlock } from '../../actions/getBlock.js'
import { parseParameters, parseSignal } from '../../actions/parameters.js'
import type { Client } from '../../client/client.js'
import type { Hash } from '../../encoding/input.js'
import { parseInteger, shown } from '../../encoding/input.js'
import { InputError } from '../../result/errors.js'
import type { Block, Result } from '../../result/result.js'
import type { FoundLog, LogFilter } from '../../systems/body/types.js'
import type { Given } from '../../systems/system.js'
import { proveBody } from './blockBody.js'
import { mayHold } from './blooms.js'

/** A filter of logs, and a range of blocks. */
export interface LogsParameters extends LogFilter {
  /** First block. */
  readonly fromBlock: number | bigint
  /**
   * Last block, included: at most 9,999 after the first. If it is newer than the newest trusted
   * block, the search ends at that one, and the value's `toBlock` says so.
   */
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
  /** Logs of this block. Whoever aborts has all logs from here to the last block by these. */
  readonly logs: readonly BlockLog[]
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
  /**
   * What shows that there are no others. `receipts`: each header's Bloom filter, or all receipts of
   * its block. Other kinds of proof will have other names.
   */
  readonly by: 'receipts'
  /** The first block that was searched. */
  readonly fromBlock: bigint
  /** The last block that was searched: `toBlock`, or the newest trusted block. */
  readonly toBlock: bigint
}

/** Logs, or why there are none; then with those of the blocks that were searched before. */
export type LogsResult = Result<Logs, never> & {
  /**
   * Of a result that is not present, what is proven all the same: the newest blocks of the range,
   * searched completely. Left out if no block was. The search goes on with `toBlock:
   * covered.fromBlock - 1n`.
   */
  readonly covered?: Logs
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
 * Bloom filter, or by all of its receipts where that says maybe. The range is searched from its
 * newest block down.
 *
 * @returns present; invalid or unavailable, as the first block that is not proven is. Never absent:
 *   no log is an empty list. The trust report is the newest block's.
 * @throws InputError for a malformed argument, PlatformError, or the reason of an aborted signal.
 */
export async function getLogs(client: Client, parameters: LogsParameters): Promise<LogsResult> {
  const given = parseParameters(client, parameters, NAMES)
  const { address, topics, hashes = true, onProgress, signal } = given
  const [from, to] = parseRange(given)
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    const problem = `expected a function, got ${shown(onProgress)}`
    throw new InputError('input.option', 'onProgress', problem)
  }
  // Checked by the search of the first block.
  const filter = {
    ...(address !== undefined && { address }),
    ...(topics !== undefined && { topics }),
  } as LogFilter
  const stop = parseSignal(signal)
  const end = stop === undefined ? {} : { signal: stop }
  const last = await lastOf(client, [from, to], end)
  if (last.status !== 'present') return last
  const question = { ...filter, hashes, ...end }
  const newest = await searchBlock(client, question, last.value)
  if (newest.status !== 'present') return newest
  const toBlock = last.value.number
  const logs: (readonly BlockLog[])[] = []
  let found = 0
  const note = (ofBlock: readonly BlockLog[]): void => {
    logs.push(ofBlock)
    found += ofBlock.length
    const block = toBlock - BigInt(logs.length - 1)
    tell(onProgress, { block, left: Number(block - from), found, logs: ofBlock })
  }
  note(newest.value)
  const covered = (): Logs => {
    const fromBlock = toBlock - BigInt(logs.length - 1)
    return { logs: [...logs].reverse().flat(), complete: true, by: 'receipts', fromBlock, toBlock }
  }
  for await (const below of blocksBelow(client, last.value, from, stop)) {
    if (below.status !== 'present') return { ...below, covered: covered() }
    const may = await mayHold(client, filter, below.value, stop)
    for (const [i, block] of below.value.entries()) {
      stop?.throwIfAborted()
      const searched = may[i] === false ? NO_LOGS : await readLogs(client, question, block)
      if (searched.status !== 'present') return { ...searched, covered: covered() }
      note(searched.value)
    }
  }
  return { status: 'present', value: covered(), trust: newest.trust }
}

const NO_LOGS = { status: 'present', value: [] } as const

/** The last block of a range, or the newest trusted one where that is in the range. */
async function lastOf(
  client: Client,
  [from, to]: readonly [bigint, bigint],
  end: { readonly signal?: AbortSignal },
): Promise<Result<Block, never>> {
  const last = await getBlock(client, { block: to, ...end })
  if (last.status === 'unavailable' && last.error.code === 'untrusted') {
    const newest = client.anchor.kind === 'checkpoint' ? { block: 'head' } : {}
    const head = await getBlock(client, { ...newest, ...end })
    const isInside = head.status === 'present' && head.value.number >= from
    if (isInside && head.value.number < to) return head
  }
  return last
}

/** All logs of a filter in one block; with `hashes`, each with its transaction's hash. */
export async function searchBlock(
  client: Client,
  given: Given,
  block: Block,
): Promise<Result<BlockLog[], never>> {
  const { hashes: _, ...filter } = given
  const first = await proveBody(client, { ...filter, at: block, list: 'bloom' }, 'bloom')
  if (first.status !== 'present') return first
  return first.value.bloom ? readLogs(client, given, block) : { ...first, value: [] }
}

/** The same, by the block's receipts. */
async function readLogs(
  client: Client,
  given: Given,
  block: Block,
): Promise<Result<BlockLog[], never>> {
  const all = await proveBody(client, { ...given, at: block, list: 'logs' }, 'logs')
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
