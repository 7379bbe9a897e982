/** Verkle's rows: the tree and the core natively. */

import { runHarness } from './harness.mjs'

/** @typedef {{ id: string, us?: number, bytes?: number, merkleBytes?: number, proveUs?: number, proveAnewUs?: number, verifyUs?: number }} NativeRow */

/**
 * Builds trees, and measures them and the core natively.
 *
 * @param {{ profile: string, leaves: number, trees: readonly string[] }} how cargo's profile, the
 *   size of the trees, and their formats
 * @returns {Promise<{ rows: NativeRow[], records: Map<string, import('./harness.mjs').ProofRecord>
 *   }>} records by the id of their row
 */
export function measureNativeVerkle({ profile, leaves, trees }) {
  return runHarness('verkle', profile, ['--leaves', String(leaves), '--trees', trees.join(',')])
}
