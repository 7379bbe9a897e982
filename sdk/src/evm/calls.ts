import type { Client } from '../client/client.js'
import { shown } from '../encoding/input.js'
import { InputError } from '../result/errors.js'
import type { Grounded, Invalid, Unavailable } from '../result/result.js'
import type { HashModule } from '../wasm/module.js'
import { onState } from './onState.js'
import { outcomeOf } from './outcome.js'
import { parseOne } from './parse.js'
import type { Call } from './request.js'
import type { CallOutcome, CallRequest, Reverted, RunParameters, Succeeded } from './types.js'

/** Parameters of {@link calls}. */
export interface CallsParameters extends RunParameters {
  /** From 1 to 1,024. */
  readonly calls: readonly CallRequest[]
}

/** What comes of each call, in their order; or why nothing is known. */
export type CallsResult =
  | Grounded<{
      readonly status: 'proven'
      readonly value: readonly (Succeeded<CallOutcome> | Reverted)[]
    }>
  | Invalid
  | Unavailable

/** The core's limit. */
const MAX_CALLS = 1024

/**
 * A list of calls.
 *
 * @throws InputError naming the call.
 */
export function parseCalls(list: unknown, hash: HashModule): Call[] {
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_CALLS) {
    const wanted = `a list of 1 to ${MAX_CALLS} calls`
    throw new InputError('input.option', 'calls', `expected ${wanted}, got ${shown(list)}`)
  }
  return list.map((one: unknown, i) => parseOne(one, `calls[${i}]`, hash))
}

/**
 * Runs many calls, each on the state after the same block; none sees what another changes. They
 * share what is fetched, so there is no need of a contract that gathers them.
 *
 * @returns proven with the outcome of each; invalid or unavailable.
 * @throws InputError for a malformed argument, PlatformError, or the reason of an aborted signal.
 */
export async function calls(client: Client, parameters: CallsParameters): Promise<CallsResult> {
  return onState(client, parameters, ['calls'], (given, hash) => {
    const parsed = parseCalls(given.calls, hash)
    return async (run) => (await run(parsed)).map(outcomeOf)
  })
}
