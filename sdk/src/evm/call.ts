import type { Client } from '../client/client.js'
import { onState } from './onState.js'
import { outcomeOf, resultOf } from './outcome.js'
import { CALL_FIELDS, parseCall } from './parse.js'
import type { CallParameters, CallResult } from './types.js'

/**
 * Runs a call on proven state: what comes of it follows from the block's header alone. A node can
 * withhold state, and the result is `unavailable` then; it cannot change the outcome.
 *
 * @example
 * const result = await call(client, { to: token, data: '0x18160ddd' })
 * if (result.status === 'success') console.log(result.value.output)
 *
 * @returns success, reverted (proven too), invalid or unavailable.
 * @throws InputError for a malformed argument, PlatformError, or the reason of an aborted signal.
 */
export async function call(client: Client, parameters: CallParameters): Promise<CallResult> {
  const outcome = await onState(client, parameters, CALL_FIELDS, (given, hash) => {
    const parsed = parseCall(given, hash)
    return async (run) => outcomeOf((await run([parsed]))[0])
  })
  return resultOf(outcome)
}
