import type { Client } from '../client.js'
import { prove } from '../core/prove.js'
import { trustOf } from '../core/trust.js'
import type { Grounded, Invalid, ProvenValues, Unavailable } from '../result.js'
import type { KeySystem, TypesOf } from '../systems/system.js'
import { type BlockAndSignal, parseInquiry, parseParameters, parseSystem } from './parameters.js'

/** A proof system, several keys, and the block. */
export interface ValuesParameters<S extends KeySystem> extends BlockAndSignal {
  /** From the system's entry. */
  readonly system: S
  /** Each once, from 1 to 1,024. */
  readonly keys: readonly TypesOf<S>['key'][]
}

/** What a system proves of every key, and on what grounds; or why nothing is known. */
export type ValuesResult<S extends KeySystem> =
  | Grounded<ProvenValues<TypesOf<S>['outcome']>>
  | Invalid
  | Unavailable

/**
 * Proves the values of several keys by one proof: smaller than one for each, and checked at once.
 *
 * @returns proven with what is known of each key, in the order of `keys`; invalid or unavailable.
 * @throws {@link InputError} for a malformed argument or a chain without the system, {@link PlatformError}, or the reason
 * of an aborted signal.
 */
export async function getValues<S extends KeySystem>(
  client: Client,
  parameters: ValuesParameters<S>,
): Promise<ValuesResult<S>> {
  const system = parseSystem<S>(parameters?.system, 'parseKeys')
  const given = parseParameters(client, parameters, ['system', 'keys', 'at', 'signal'])
  let order: readonly number[] = []
  const inquiry = await parseInquiry(client, given, (hash) => {
    const parsed = system.parseKeys(given.keys, hash)
    order = parsed.order
    return parsed.ask
  })
  const outcome = await prove(client, system, inquiry)
  if (outcome.status !== 'proven') return outcome
  const { fact, query } = outcome.value
  const values: readonly TypesOf<S>['outcome'][] = system.valuesOf(fact)
  const { proved } = system.read(fact, query)
  return {
    status: 'proven',
    value: order.map((place) => valueAt(values, place)),
    trust: trustOf(client, outcome.value, outcome, proved),
  }
}

function valueAt<V>(values: readonly V[], place: number): V {
  const value = values[place]
  if (value === undefined) throw new TypeError('the core answered another question')
  return value
}
