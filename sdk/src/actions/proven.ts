/**
 * The value of a result, for callers who want an exception where nothing was proven: the proven
 * value, or for proven absence what the protocol reads then.
 *
 * @example
 * const wei = proven(await getBalance(client, { address }))
 *
 * @throws {@link ProofError} if the result is invalid, {@link UnavailableError} if it is
 *   unavailable, the error of a call that reverted.
 */
export function proven<R extends { readonly value: unknown } | { readonly error: Error }>(
  result: R,
): Extract<R, { readonly value: unknown }>['value'] {
  if ('error' in result) throw result.error
  return result.value
}
