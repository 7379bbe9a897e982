import type { Client } from '../client/client.js'
import { call } from './call.js'
import { type TokenTransfer, transfersIn } from './transfers.js'
import type { CallOutcome, CallParameters, CallResult } from './types.js'

/** What a transaction would do. */
export interface Simulation extends CallOutcome {
  /** What the tokens' contracts log of movements. Whether a contract logs what it does, only its code can tell. */
  readonly transfers: readonly TokenTransfer[]
}

/**
 * A transaction's preview: what it would do on the state after the block, with the balances and slots that it would change, and the
 * movements of tokens that it would log. Its fee is left out, and so is its signature.
 *
 * @returns success, reverted (proven too), invalid or unavailable.
 * @throws InputError for a malformed argument, PlatformError, or the reason of an aborted signal.
 */
export async function simulate(
  client: Client,
  parameters: CallParameters,
): Promise<CallResult<Simulation>> {
  const result = await call(client, parameters)
  if (result.status !== 'success') return result
  const { value } = result
  return { ...result, value: { ...value, transfers: transfersIn(value.logs) } }
}
