import type { Client } from '../client/client.js'
import type { Success } from '../proving/failover.js'
import { prove } from '../proving/prove.js'
import type { Proof } from '../proving/proveBlock.js'
import { trustOf } from '../proving/trust.js'
import type { Grounded, Invalid, Trust, Unavailable } from '../result/result.js'
import type { KeySystem, ProvenValues, TypesOf } from '../systems/system.js'
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
 * Where nodes prove shards of the state, each proves those that it has, of one block.
 *
 * @returns proven with what is known of each key, in the order of `keys`; invalid or unavailable,
 *   with code `shard` if no node has some of the keys.
 * @throws {@link InputError} for a malformed argument or a chain without the system,
 *   {@link PlatformError}, or the reason of an aborted signal.
 */
export async function getValues<S extends KeySystem>(
  client: Client,
  parameters: ValuesParameters<S>,
): Promise<ValuesResult<S>> {
  const system = parseSystem<S>(parameters?.system, 'parseKeys')
  const given = parseParameters(client, parameters, ['system', 'keys', 'at', 'signal'])
  const values: TypesOf<S>['outcome'][] = []
  const parts: Part<S>[] = []
  /** Indices of the keys that are still unproven after others were proven. */
  let left: readonly number[] | undefined
  do {
    const keys = left?.map((place) => (given.keys as readonly unknown[])[place]) ?? given.keys
    let order: readonly number[] = []
    const inquiry = await parseInquiry(client, given, (hash) => {
      const parsed = system.parseKeys(keys, hash)
      order = parsed.order
      return parsed.ask
    })
    const at =
      parts[0] === undefined
        ? inquiry.at
        : ({ by: 'hash', hash: parts[0].value.header.hash } as const)
    const outcome = await prove(client, system, { ...inquiry, at, inParts: true })
    if (outcome.status !== 'proven') return outcome
    parts.push(outcome)
    left = take(values, left ?? order.map((_, place) => place), order, system, outcome.value)
  } while (left.length > 0)
  return { status: 'proven', value: values, trust: trustIn(client, system, parts) }
}

type Part<S extends KeySystem> = Success<Proof<FactOf<S>>>

type FactOf<S extends KeySystem> = TypesOf<S>['fact']

/**
 * Puts what a proof says into its places among the values.
 *
 * @param wanted - places of the keys that were asked for, each of which stood in the question where
 *   `order` says.
 * @returns the places of the others.
 */
function take<S extends KeySystem>(
  values: TypesOf<S>['outcome'][],
  wanted: readonly number[],
  order: readonly number[],
  system: S,
  { fact, places }: Proof<FactOf<S>>,
): readonly number[] {
  const proven: readonly TypesOf<S>['outcome'][] = system.valuesOf(fact)
  const answered = new Map((places ?? order.map((_, at) => at)).map((place, at) => [place, at]))
  return wanted.filter((place, i) => {
    const at = answered.get(order[i] ?? -1)
    if (at === undefined) return true
    const value = proven[at]
    if (value === undefined) throw new TypeError('the core answered another question')
    values[place] = value
    return false
  })
}

function trustIn<S extends KeySystem>(client: Client, system: S, parts: readonly Part<S>[]): Trust {
  const [first, ...others] = parts
  if (first === undefined) throw new TypeError('no part was proven')
  const { proved } = system.read(first.value.fact, first.value.query)
  const tried = parts.flatMap((part) => part.tried)
  const trust = trustOf(client, first.value, { ...first, tried }, proved)
  const alsoServedBy = others.map(({ servedBy }) => servedBy)
  if (others.length === 0) return trust
  const crossChecked = parts.reduce(
    (sum, { value }) => sum + (value.compared?.crossChecked ?? 0),
    0,
  )
  return { ...trust, ...(trust.origin && { crossChecked }), alsoServedBy }
}
