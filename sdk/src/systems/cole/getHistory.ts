import { type BlockAndSignal, parseInquiry, parseParameters } from '../../actions/parameters.js'
import type { Client } from '../../client/client.js'
import { prove } from '../../proving/prove.js'
import { trustOf } from '../../proving/trust.js'
import type { Result } from '../../result/result.js'
import { askHistory, type ColeHistoryQuestion, cole, type History, historyOf } from '../cole.js'

/** A slot and a range of blocks. */
export interface HistoryParameters extends ColeHistoryQuestion, BlockAndSignal {}

const NAMES = ['address', 'slot', 'fromBlock', 'toBlock', 'at', 'signal'] as const

/**
 * Proves every version of a slot between two blocks, with nothing left out.
 *
 * @returns present with the versions, oldest first; absent if there is proven to be none in the
 *   range; each with what stood before it, if the proof tells. Invalid or unavailable otherwise.
 * @throws InputError for a malformed argument or a chain without cole, PlatformError, or the reason
 *   of an aborted signal.
 */
export async function getHistory(
  client: Client,
  parameters: HistoryParameters,
): Promise<Result<History, History>> {
  const given = parseParameters(client, parameters, NAMES)
  const inquiry = await parseInquiry(client, given, (hash) => askHistory(given, hash))
  const outcome = await prove(client, cole, inquiry)
  if (outcome.status !== 'proven') return outcome
  const { fact } = outcome.value
  if (fact.mode !== 'range') throw new TypeError('the core answered another question')
  return { ...historyOf(fact), trust: trustOf(client, outcome.value, outcome, ['history']) }
}
