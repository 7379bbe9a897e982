/** Is it of use to ask again? */

import { isRecord } from '../encoding/input.js'

/**
 * Codes of this library that only another configuration, version or clock mends; a prefix ends in a
 * dot.
 */
const FINAL =
  /^(verify|decode|input|call)\.|^platform\.(?!trap$)|^(unprovable|walk|expired|clock|chain\.fork|unsupported)$/
/**
 * Numbers of EIP-1193 and EIP-1474, and this library's own: reverted, the user refused,
 * unauthorized, not supported, unknown chain, a transaction rejected, malformed, a bad proof.
 */
const FINAL_NUMBERS: readonly unknown[] = [
  3, 4001, 4100, 4200, 4902, -32003, -32004, -32070, -32072, -32600, -32601, -32602,
]
const MAX_CAUSES = 16

/**
 * Would the same question fail in the same way if it were asked again? True of lies (no node proved
 * the answer), mistakes of the caller, reverts, and what this page or version cannot do; false
 * where nodes do not answer, or not yet.
 *
 * It looks through errors of libraries to their causes: the innermost one that says something of it
 * decides.
 *
 * @example
 * new QueryClient({ defaultOptions: { queries: { retry: (count, error) => count < 3 &&
 * !isFinal(error) } } })
 */
export function isFinal(error: unknown): boolean {
  let isIt = false
  let next = error
  for (let i = 0; i < MAX_CAUSES && isRecord(next); i++) {
    const { code, data, cause } = next
    const own = isRecord(data) ? data['code'] : undefined
    if (typeof own === 'string' || typeof code === 'string') {
      isIt = FINAL.test(typeof own === 'string' ? own : String(code))
    } else if (typeof code === 'number') isIt = FINAL_NUMBERS.includes(code)
    next = cause
  }
  return isIt
}
