/** The core without WebAssembly: a harness in `wasm/core/benches` times the same claims. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { run } from '../../scripts/lib/run.mjs'

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
    const bench = ['bench', '--locked', '-p', 'lightproof-core', '--bench', 'native']
    const options = ['--cases', file, '--seconds', String(seconds)]
    const args = [...bench, '--profile', profile, '--', ...options]
    return byCase(cases, await run('cargo', args))
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/**
 * @param {readonly import('./types.js').BenchCase[]} cases
 * @param {string} output
 */
function byCase(cases, output) {
  const jsonLines = output.split('\n').filter((line) => line.startsWith('{'))
  /** @type {NativeLine[]} */
  const lines = jsonLines.map((line) => JSON.parse(line))
  const found = new Map(lines.map((line) => [line.case, line]))
  for (const { id } of cases) {
    const result = found.get(id)?.result ?? 'nothing'
    if (result !== 'valid') throw new Error(`native: ${id} gave ${result}`)
  }
  return found
}
