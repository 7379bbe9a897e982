/**
 * LMPT's rows: layers and one trie natively, and the proofs of both over one state for our module.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { cargoBench } from '../../scripts/lib/cargo.mjs'
import { engine } from '../engines/lightproof-wasm.mjs'

/** @typedef {import('./types.js').BenchCase} BenchCase */
/** @typedef {{ id: string, bytes: number, proveUs: number, verifyUs: number }} ProofRow */

/**
 * @typedef {object} WritesRow
 * @property {string} id
 * @property {number} keys
 * @property {number} writesPerBlock
 * @property {number} interval blocks between two merges
 * @property {number} lmptPerSecond
 * @property {number} mptPerSecond
 * @property {number} ratio of the two, median of the rounds
 * @property {number} lmptSlowestBlockMs
 * @property {number} mptSlowestBlockMs
 */

/**
 * Fills both systems with the same writes, and measures them and the core natively.
 *
 * @param {{ profile: string, keys: number, rounds: number }} how cargo's profile, size of the
 *   state, rounds of 32 blocks
 * @returns {Promise<{ writes: WritesRow, rows: Map<string, ProofRow>, records: BenchCase[] }>} rows
 *   by the id of their record
 */
export async function measureNativeLmpt({ profile, keys, rounds }) {
  const dir = mkdtempSync(path.join(tmpdir(), 'lightproof-bench-'))
  try {
    const file = path.join(dir, 'records.json')
    const options = ['--keys', String(keys), '--rounds', String(rounds), '--records', file]
    /** @type {(WritesRow | ProofRow)[]} */
    const rows = await cargoBench('lightproof-generator', 'lmpt', profile, options)
    const writes = rows.find((row) => 'ratio' in row)
    if (writes === undefined) throw new Error('lmpt: no row of writes')
    const proofs = rows.filter((row) => 'verifyUs' in row)
    /** @type {BenchCase[]} */
    const records = JSON.parse(readFileSync(file, 'utf8'))
    return {
      writes,
      rows: new Map(proofs.map((row) => [row.id, row])),
      // The harness writes the core's own form, the same that our module answers with.
      records: records.map((one) => ({ ...one, expected: engine.fact(one.expected) })),
    }
  } finally {
    rmSync(dir, { recursive: true })
  }
}
