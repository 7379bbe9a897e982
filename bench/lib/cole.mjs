/** COLE's rows: the engine and the core natively. */

import { runHarness } from './harness.mjs'

/** @typedef {{ id: string, bytes: number, insertUs?: number, proveUs?: number, verifyUs?: number }} NativeRow */

/**
 * Fills engines of both formats and systems, and measures them and the core natively.
 *
 * @param {{ profile: string, blocks: number }} how cargo's profile, and the length of the chain
 * @returns {Promise<{ rows: NativeRow[], records: Map<string, import('./harness.mjs').ProofRecord>
 *   }>} records by the id of their row
 */
export function measureNativeCole({ profile, blocks }) {
  return runHarness('cole', profile, ['--blocks', String(blocks)])
}
