/** Rows of balanceproofs: prover and core natively, and the decoding of proofs apart. */

import { runHarness, verdictOf } from './harness.mjs'
import { decode, encode, fromHex } from './rlp.mjs'

/** @typedef {{ id: string, us?: number, bytes?: number, proveUs?: number, decodeUs?: number, verifyUs?: number }} NativeRow */
/** @typedef {import('./harness.mjs').ProofRecord} ProofRecord */

/**
 * Proves, and measures prover and core natively.
 *
 * @param {{ profile: string, counts: readonly number[] }} how cargo's profile, and positions of a
 *   claim
 * @returns {Promise<{ rows: NativeRow[], records: Map<string, ProofRecord> }>} records by the id of
 *   their row
 */
export function measureNativeBalances({ profile, counts }) {
  return runHarness('balanceproofs', profile, ['--counts', counts.join(',')])
}

/**
 * The decoding of a proof alone: that of the same proof with an error at its end, which is noticed
 * when everything else is read.
 *
 * @param {ProofRecord} record
 * @returns {Promise<() => void>} throws if it is refused for something else
 */
export async function decodingOf(record) {
  const [values, points] = /** @type {Uint8Array[]} */ (decode(fromHex(record.proof)))
  if (values === undefined || points === undefined) throw new Error('a proof of another form')
  // A byte more; points by both coordinates are told by their length, so there the last one leaves
  // the curve.
  const isCompressed = ((points[0] ?? 0) & 0x80) !== 0
  const wrong = new Uint8Array(points.length + (isCompressed ? 1 : 0))
  wrong.set(points)
  if (!isCompressed) wrong[points.length - 1] = (points.at(-1) ?? 0) ^ 1
  const expected = isCompressed ? 'decode.shape' : 'decode.point'
  const ask = await verdictOf('balanceproofs', record, encode([values, wrong]))
  return () => {
    const { status, code = status } = ask()
    if (code !== expected) throw new Error(code)
  }
}
