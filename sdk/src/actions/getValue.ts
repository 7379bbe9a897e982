import type { Client } from '../client/client.js'
import { prove } from '../proving/prove.js'
import { trustOf } from '../proving/trust.js'
import type { Grounded, Invalid, Unavailable } from '../result/result.js'
import type { TypesOf, ValueSystem } from '../systems/system.js'
import { type BlockAndSignal, parseInquiry, parseParameters, parseSystem } from './parameters.js'

/** A proof system, what it asks for, and the block. */
export type ValueParameters<S extends ValueSystem> = {
  /** From the system's entry, as `cole` from `lightproof/cole`. */
  readonly system: S
} & TypesOf<S>['single'] &
  BlockAndSignal

/** What a system proves of one key, and on what grounds; or why nothing is known. */
export type ValueResult<S extends ValueSystem> =
  | Grounded<TypesOf<S>['outcome']>
  | Invalid
  | Unavailable

/**
 * Proves one value, by the system of the caller's choice.
 *
 * @example
 * const value = await getValue(client, { system: cole, address, slot })
 *
 * @returns present with the value and what the system tells of it, absent, deleted (where the
 *   system can tell), invalid or unavailable.
 * @throws {@link InputError} for a malformed argument or a chain without the system,
 *   {@link PlatformError}, or the reason of an aborted signal.
 */
export async function getValue<S extends ValueSystem>(
  client: Client,
  parameters: ValueParameters<S>,
): Promise<ValueResult<S>> {
  const system = parseSystem<S>(parameters?.system, 'valueOf')
  const known = ['system', 'at', 'signal', ...system.asksOne]
  const given = parseParameters(client, parameters, known)
  const inquiry = await parseInquiry(client, given, (hash) => system.parse(given, hash))
  const outcome = await prove(client, system, inquiry)
  if (outcome.status !== 'proven') return outcome
  const { fact, query } = outcome.value
  const value: TypesOf<S>['outcome'] | undefined = system.valueOf(fact)
  if (value === undefined) throw new TypeError('the core answered another question')
  const { proved } = system.read(fact, query)
  return { ...value, trust: trustOf(client, outcome.value, outcome, proved) }
}
