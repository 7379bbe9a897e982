import type { Invalid, Unavailable } from '../result/result.js'
import type { Finding } from '../systems/system.js'

/**
 * The value of a result, for callers who want an exception where nothing was proven: the proven value, or for proven
 * absence what the protocol reads then.
 *
 * @example
 * const wei = proven(await getBalance(client, { address }))
 *
 * @throws {@link ProofError} if the result is invalid, {@link UnavailableError} if it is unavailable.
 */
export function proven<R extends Finding | Invalid | Unavailable>(
  result: R,
): Extract<R, Finding>['value'] {
  if ('error' in result) throw result.error
  return result.value
}
