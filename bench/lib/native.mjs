/** The core without WebAssembly: a harness in `wasm/core/benches` times the same claims. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { cargoBench } from '../../scripts/lib/cargo.mjs'

/** @typedef {{ case: string, medianUs: number, runs: number, result: string }} NativeLine */

export const NATIVE = { id: 'lightproof-native', title: 'lightproof, native' }

const THOROUGH = { profile: 'bench', seconds: 1 }

/** Where only the verdicts matter: in the profile that the tests have built already. */
export const BRIEF = { profile: 'dev', seconds: 0.05 }

/**
 * Times each case natively.
 *
 * @param {readonly import('./types.js').BenchCase[]} cases
 * @param {{ profile: string, seconds: number }} [how] cargo's profile, and seconds for each case
 * @returns {Promise<Map<string, NativeLine>>} by case
 * @throws if a case is missing from the harness's answer, or its proof did not hold.
 */
export async function measureNative(cases, { profile, seconds } = THOROUGH) {
  const dir = mkdtempSync(path.join(tmpdir(), 'lightproof-bench-'))
  try {
    const file = path.join(dir, 'cases.json')
    const expected = { result: 'valid' }
    writeFileSync(
      file,
      JSON.stringify(cases.map(({ id, record }) => ({ id, ...record, expected }))),
    )
    const options = ['--cases', file, '--seconds', String(seconds)]
    return byCase(cases, await cargoBench('lightproof-core', 'native', profile, options))
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/**
 * @param {readonly import('./types.js').BenchCase[]} cases
 * @param {NativeLine[]} lines
 */
function byCase(cases, lines) {
  const found = new Map(lines.map((line) => [line.case, line]))
  for (const { id } of cases) {
    const result = found.get(id)?.result ?? 'nothing'
    if (result !== 'valid') throw new Error(`native: ${id} gave ${result}`)
  }
  return found
}
