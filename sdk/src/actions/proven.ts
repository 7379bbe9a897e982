import type { Absent, Invalid, Present, Unavailable } from '../result.js'

/**
 * The value of a result, for callers who want an exception where nothing was proven: the proven value, or for proven
 * absence what the protocol reads then.
 *
 * @example
 * const wei = proven(await getBalance(client, { address }))
 *
 * @throws {@link ProofError} if the result is invalid, {@link UnavailableError} if it is unavailable.
 */
export function proven<V, D>(result: Present<V> | Absent<D> | Invalid | Unavailable): V | D {
  if (result.status === 'present' || result.status === 'absent') return result.value
  throw result.error
}
