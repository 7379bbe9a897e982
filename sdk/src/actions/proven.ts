import type { Finding, Invalid, Unavailable } from '../result.js'

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
  if (result.status === 'invalid' || result.status === 'unavailable') throw result.error
  return result.value
}
