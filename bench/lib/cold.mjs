/**
 * Cold starts: import, instantiation and the first proof, each time in a fresh process, the engines
 * in turn.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../../scripts/lib/run.mjs'
import { toJson } from './caseFile.mjs'

const CHILD = fileURLToPath(new URL('../cold.mjs', import.meta.url))

/**
 * Microseconds of cold starts: one sample per engine and round.
 *
 * @param {readonly string[]} engines
 * @param {import('./types.js').BenchCase} bench
 * @param {number} rounds
 * @returns {Promise<number[][]>} in the order of the engines
 */
export async function measureCold(engines, bench, rounds) {
  const dir = mkdtempSync(path.join(tmpdir(), 'lightproof-bench-'))
  try {
    const file = path.join(dir, 'case.json')
    writeFileSync(file, toJson(bench))
    /** @type {number[][]} */
    const samples = engines.map(() => [])
    for (let round = 0; round < rounds; round++) {
      for (const [i, engine] of engines.entries()) {
        const { us } = JSON.parse(await run(process.execPath, [CHILD, engine, file]))
        samples[i]?.push(us)
      }
    }
    return samples
  } finally {
    rmSync(dir, { recursive: true })
  }
}
