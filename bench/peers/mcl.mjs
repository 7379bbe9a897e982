/** mcl-wasm: the product of two pairings, the least that a proof of one position takes. */

import mcl from 'mcl-wasm'

/**
 * Two equations that hold, e(7P, Q)·e(P, −7Q) = 1, from points in memory.
 *
 * @returns {Promise<{ plain: () => void, prepared: () => void }>} with points of G2 as they are, and
 *   with the lines of both prepared before; each throws if the equation does not hold
 */
export async function equations() {
  await mcl.init(mcl.BLS12_381)
  const seven = new mcl.Fr()
  seven.setInt(7)
  const p = mcl.hashAndMapToG1('P')
  const q = mcl.hashAndMapToG2('Q')
  const left = mcl.mul(p, seven)
  const right = mcl.mul(q, mcl.neg(seven))
  left.normalize()
  right.normalize()
  const [lines, rightLines] = [new mcl.PrecomputedG2(q), new mcl.PrecomputedG2(right)]
  const demandOne = (/** @type {import('mcl-wasm').GT} */ product) => {
    if (!mcl.finalExp(product).isOne()) throw new Error('the equation')
  }
  return {
    plain: () => demandOne(mcl.mul(mcl.millerLoop(left, q), mcl.millerLoop(p, right))),
    prepared: () => demandOne(mcl.precomputedMillerLoop2(left, lines, p, rightLines)),
  }
}
