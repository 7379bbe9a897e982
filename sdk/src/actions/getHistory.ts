import type { Client } from '../client.js'
import { parseBlock } from '../core/at.js'
import { proveCole } from '../core/proveCole.js'
import { trustOf } from '../core/trust.js'
import { parseAddress, parseInteger, parseSlot, type SlotLike } from '../encoding/input.js'
import { InputError } from '../errors.js'
import type { Result } from '../result.js'
import { coleOf, type History, historyOf, LAST_BLOCK } from '../systems/cole.js'
import { loadHash } from '../wasm/module.js'
import {
  ACCOUNT_PARAMETERS,
  type AccountParameters,
  parseParameters,
  parseSignal,
} from './parameters.js'

/** A slot and a range of blocks. */
export interface HistoryParameters extends AccountParameters {
  /** The account's slot: its number, or hex of at most 32 bytes. Default 0. */
  readonly slot?: SlotLike
  /** First block. */
  readonly fromBlock: number | bigint
  /** Last block, included. Default: the block of the proof. */
  readonly toBlock?: number | bigint
}

/**
 * Proves every version of a slot between two blocks, with nothing left out.
 *
 * @returns present with the versions, oldest first; absent if there is proven to be none in the range; each with what
 * stood before it, if the proof tells. Invalid or unavailable otherwise.
 * @throws InputError for a malformed argument or a chain without cole, PlatformError, or the reason of an
 * aborted signal.
 */
export async function getHistory(
  client: Client,
  parameters: HistoryParameters,
): Promise<Result<History, History>> {
  const known = [...ACCOUNT_PARAMETERS, 'slot', 'fromBlock', 'toBlock'] as const
  const given = parseParameters(client, parameters, known)
  coleOf(client.chain)
  const at = parseBlock(given.at, 'at', client)
  const signal = parseSignal(given.signal)
  signal?.throwIfAborted()
  const slot = parseSlot(given.slot ?? 0n, 'slot')
  const from = parseBlockNumber(given.fromBlock, 'fromBlock')
  const last = given.toBlock === undefined ? undefined : parseBlockNumber(given.toBlock, 'toBlock')
  if (last !== undefined && last < from) {
    throw new InputError('input.block', 'toBlock', 'expected a block no earlier than fromBlock')
  }
  const address = parseAddress(given.address, 'address', await loadHash())
  const outcome = await proveCole(client, at, signal, ({ number }) => {
    // A block before the range holds none of it, and proves just that.
    const reached = number >= from
    return { address, slot, mode: 'range', from, to: last ?? (reached ? number : from) }
  })
  if (outcome.status !== 'proven') return outcome
  const { fact } = outcome.value
  const value = historyOf(fact)
  if (value === undefined) throw new TypeError('the core answered another question')
  const trust = trustOf(client, outcome.value, outcome, ['header', 'history'], 'cole')
  return { status: value.versions.length > 0 ? 'present' : 'absent', value, trust }
}

/** A block number as cole counts them. */
export function parseBlockNumber(value: unknown, argument: string): bigint {
  const range = { min: 0, max: Number(LAST_BLOCK), code: 'input.block' } as const
  return BigInt(parseInteger(typeof value === 'bigint' ? Number(value) : value, argument, range))
}
