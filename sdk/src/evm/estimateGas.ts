import type { Client } from '../client/client.js'
import type { Machine } from './machine.js'
import { onState } from './onState.js'
import { outcomeOf, resultOf } from './outcome.js'
import { CALL_FIELDS, parseCall } from './parse.js'
import type { Call } from './request.js'
import type { CallOutcome, CallParameters, CallResult, Reverted, Succeeded } from './types.js'

/** Amounts of gas that are tried at once. */
const TRIES = 8n

/**
 * The least gas with which a call does not fail, found by running it on proven state. `gas` is the
 * most that is tried; by default 2^24.
 *
 * @returns success with the gas, reverted if the call fails with the most gas too, invalid or
 *   unavailable.
 * @throws InputError for a malformed argument, PlatformError, or the reason of an aborted signal.
 */
export async function estimateGas(
  client: Client,
  parameters: CallParameters,
): Promise<CallResult<bigint>> {
  const outcome = await onState(client, parameters, CALL_FIELDS, (given, hash) => {
    const parsed = parseCall(given, hash)
    return (run) => leastGas(run, parsed)
  })
  return resultOf(outcome)
}

async function leastGas(run: Machine['run'], call: Call): Promise<Succeeded<bigint> | Reverted> {
  const tryWith = async (
    amounts: readonly bigint[],
  ): Promise<(Succeeded<CallOutcome> | Reverted)[]> =>
    (await run(amounts.map((gas) => ({ ...call, gas })))).map(outcomeOf)
  const [most] = await tryWith([call.gas])
  if (most?.status !== 'success') return most ?? outcomeAgain()
  // Refunds come after the run, so it may need more than it pays for, and no less than that.
  let tooLittle = most.value.gasUsed - 1n
  let enough = call.gas
  // Most calls need what they pay for, or a 64th more where they call others (EIP-150).
  let amounts = [most.value.gasUsed, (most.value.gasUsed * 65n) / 64n + 3_000n]
  while (enough - tooLittle > 1n) {
    const within = amounts.filter((gas) => gas > tooLittle && gas < enough)
    const outcomes = await tryWith(within)
    for (const [i, { status }] of outcomes.entries()) {
      const gas = within[i] ?? enough
      if (status === 'success' && gas < enough) enough = gas
      if (status === 'reverted' && gas > tooLittle && gas < enough) tooLittle = gas
    }
    const step = (enough - tooLittle) / (TRIES + 1n)
    const low = tooLittle
    amounts = Array.from({ length: Number(TRIES) }, (_, i) =>
      step === 0n ? low + BigInt(i) + 1n : low + step * BigInt(i + 1),
    )
  }
  return { status: 'success', value: enough }
}

function outcomeAgain(): never {
  throw new TypeError('the core answered another question')
}
