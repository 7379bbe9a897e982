import type { Client } from '../client.js'
import { parseBlock } from '../core/at.js'
import { proveCole } from '../core/proveCole.js'
import { trustOf } from '../core/trust.js'
import { parseAddress, parseSlot, type SlotLike, shown } from '../encoding/input.js'
import { InputError } from '../errors.js'
import type { Result } from '../result.js'
import { coleOf, LAST_BLOCK, type Version, valueIn } from '../systems/cole.js'
import { loadHash } from '../wasm/module.js'
import { parseBlockNumber } from './getHistory.js'
import {
  ACCOUNT_PARAMETERS,
  type AccountParameters,
  parseParameters,
  parseSignal,
} from './parameters.js'

/** A slot, and the system that proves it. */
export interface ValueParameters extends AccountParameters {
  /** The proof system. */
  readonly system: 'cole'
  /** The account's slot: its number, or hex of at most 32 bytes. Default 0. */
  readonly slot?: SlotLike
  /** The value that stood after this block; the latest one if left out. */
  readonly asOf?: number | bigint
}

/**
 * Proves the latest value of a slot, or the one that stood after an earlier block, under the state of the pinned block
 * or of `at`.
 *
 * @returns present with the value and the block that wrote it; absent if it was never written until then; invalid or
 * unavailable.
 * @throws InputError for a malformed argument or a chain without the system, PlatformError, or the reason
 * of an aborted signal.
 */
export async function getValue(
  client: Client,
  parameters: ValueParameters,
): Promise<Result<Version>> {
  const known = [...ACCOUNT_PARAMETERS, 'system', 'slot', 'asOf'] as const
  const given = parseParameters(client, parameters, known)
  if (given.system !== 'cole') {
    throw new InputError('input.option', 'system', `expected "cole", got ${shown(given.system)}`)
  }
  coleOf(client.chain)
  const at = parseBlock(given.at, 'at', client)
  const signal = parseSignal(given.signal)
  signal?.throwIfAborted()
  const slot = parseSlot(given.slot ?? 0n, 'slot')
  const to = given.asOf === undefined ? LAST_BLOCK : parseBlockNumber(given.asOf, 'asOf')
  const address = parseAddress(given.address, 'address', await loadHash())
  const question = { address, slot, mode: 'asOf', from: to, to } as const
  const outcome = await proveCole(client, at, signal, () => question)
  if (outcome.status !== 'proven') return outcome
  const { fact } = outcome.value
  const trust = trustOf(client, outcome.value, outcome, ['header', 'value'], 'cole')
  const value = valueIn(fact)
  return value === undefined
    ? { status: 'absent', value: undefined, trust }
    : { status: 'present', value, trust }
}
