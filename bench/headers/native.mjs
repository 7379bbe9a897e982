/** The core without WebAssembly, on the same bytes. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { run } from '../../scripts/lib/run.mjs'

/**
 * Median microseconds by task.
 *
 * @param {import('./types.js').HeaderData} data
 * @param {{ profile: string, seconds: number }} how cargo's profile, and seconds for each task
 * @returns {Promise<Map<string, { medianUs: number, runs: number }>>}
 * @throws if the core refuses any of it
 */
export async function measureNativeTasks(data, { profile, seconds }) {
  const dir = mkdtempSync(path.join(tmpdir(), 'lightproof-bench-'))
  try {
    const file = path.join(dir, 'headers.json')
    const hex = (/** @type {Uint8Array} */ bytes) => `0x${Buffer.from(bytes).toString('hex')}`
    const { chain, checkpoint, bootstrap, update, finality } = data
    const parts = { chain, checkpoint, bootstrap, update, finality }
    const text = Object.entries(parts).map(([name, bytes]) => [name, hex(bytes)])
    writeFileSync(file, JSON.stringify(Object.fromEntries(text)))
    const bench = ['bench', '--locked', '-p', 'lightproof-core', '--bench', 'light']
    const options = ['--cases', file, '--seconds', String(seconds)]
    const output = await run('cargo', [...bench, '--profile', profile, '--', ...options])
    const lines = output.split('\n').filter((line) => line.startsWith('{'))
    return new Map(lines.map((line) => JSON.parse(line)).map((line) => [line.case, line]))
  } finally {
    rmSync(dir, { recursive: true })
  }
}
