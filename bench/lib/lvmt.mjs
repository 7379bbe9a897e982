/** LVMT's rows: the prover and the core natively. */

import { runHarness } from './harness.mjs'

/** @typedef {{ id: string, us?: number, keys?: number, ratio?: number, peak?: number, bytes?: number, proveUs?: number, verifyUs?: number }} NativeRow */

/**
 * Fills one prover, and measures it and the core natively.
 *
 * @param {{ profile: string, keys: number, tree: string, mpt?: boolean, proves?: boolean }} how
 *   cargo's profile, keys of the state, kept proof tree, whether one trie does the same work beside
 *   it, whether keys are proved
 * @returns {Promise<{ rows: NativeRow[], records: Map<string, import('./harness.mjs').ProofRecord>
 *   }>} records by the id of their row
 */
export function measureNativeLvmt({ profile, keys, tree, mpt = false, proves = false }) {
  const options = ['--keys', String(keys), '--tree', tree, ...(mpt ? ['--mpt'] : [])]
  return runHarness('lvmt', profile, options, proves)
}
