import type { Client } from '../client/client.js'
import type { Grounded, Invalid, Unavailable } from '../result/result.js'
import { call } from './call.js'
import { type CallsParameters, parseCalls } from './calls.js'
import { onState } from './onState.js'
import { outcomeOf } from './outcome.js'
import { type TokenTransfer, transfersIn } from './transfers.js'
import type { CallOutcome, CallParameters, CallResult, Reverted, Succeeded } from './types.js'

/** What a transaction would do. */
export interface Simulation extends CallOutcome {
  /**
   * What the tokens' contracts log of movements. Whether a contract logs what it does, only its
   * code can tell.
   */
  readonly transfers: readonly TokenTransfer[]
}

/**
 * A transaction's preview: what it would do on the state after the block, with the balances and
 * slots that it would change, and the movements of tokens that it would log. Its fee is left out,
 * and so is its signature.
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
  return { ...result, value: withTransfers(result.value) }
}

/** What comes of each transaction, in their order; or why nothing is known. */
export type SimulationsResult =
  | Grounded<{
      readonly status: 'proven'
      readonly value: readonly (Succeeded<Simulation> | Reverted)[]
    }>
  | Invalid
  | Unavailable

/**
 * A preview of transactions one after another, each on what those before it left: an approval, then
 * the swap that needs it. What each would change is told against what it found. One that fails
 * changes nothing but its sender's nonce. Fees are left out.
 *
 * @returns proven with the outcome of each; invalid or unavailable.
 * @throws InputError for a malformed argument, PlatformError, or the reason of an aborted signal.
 */
export async function simulateCalls(
  client: Client,
  parameters: CallsParameters,
): Promise<SimulationsResult> {
  return onState(client, parameters, ['calls'], (given, hash) => {
    const parsed = parseCalls(given.calls, hash)
    return async (run) =>
      (await run(parsed, true)).map((finished) => {
        const outcome = outcomeOf(finished)
        if (outcome.status !== 'success') return outcome
        return { status: 'success', value: withTransfers(outcome.value) }
      })
  })
}

function withTransfers(outcome: CallOutcome): Simulation {
  return { ...outcome, transfers: transfersIn(outcome.logs) }
}
