/** The tour of the devnet (`npm start -- --once`), as somebody types it. */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { valueSystems } from '../../src/systems/registry.js'
import { BINARY } from '../support/liveNode.js'
import { leftOf, processesOf } from '../support/processes.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const TARGET = process.env['CARGO_TARGET_DIR'] ?? path.join(ROOT, 'target')

async function start(args: readonly string[], root = ROOT) {
  const tour = spawn(process.execPath, [path.join(root, 'scripts/start.mjs'), ...args], {
    env: { ...process.env, CARGO_TARGET_DIR: TARGET, LIGHTPROOF_NODE: BINARY, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = Promise.all([text(tour.stdout), text(tour.stderr)])
  const [code]: unknown[] = await once(tour, 'close')
  const printed = (await said).join('')
  return { code, printed, lines: printed.split('\n') }
}

test('default: a fact of each system, with its bytes and time, and a lie about each refused', async () => {
  const { code, printed, lines } = await start(['--once'])
  expect([code, printed]).toEqual([0, expect.stringContaining('You trust')])
  const by = (system: string): string[] => lines.filter((line) => line.startsWith(`  ${system} `))
  const fact = /^ {2}\w+ .* \d+ +[1-9]\d* +\d+\.\d\d ms +\d+ of 32 keys/
  const refusal = /^ {2}\w+ +REFUSED \(verify\.\w+\): .* [1-9]\d* +\d+\.\d\d ms +nobody/
  for (const system of ['mpt', ...valueSystems.map(({ name }) => name)]) {
    const refused = by(system).filter((line) => line.includes('REFUSED'))
    expect(refused, system).toEqual([expect.stringMatching(refusal)])
    const facts = by(system).filter((line) => !line.includes('REFUSED'))
    expect(facts, system).not.toHaveLength(0)
    for (const line of facts) expect(line).toMatch(fact)
  }
  expect(by('mpt')).toContainEqual(expect.stringMatching(/ is absent /))
  expect(by('cole')).toContainEqual(expect.stringMatching(/has \d+ versions in blocks 0 to \d+/))
  expect(by('balanceproofs')).toContainEqual(expect.stringMatching(/ by one aggregate /))
  expect(by('headers')).toEqual([expect.stringMatching(refusal)])
})

/** A clone of this tree after `npm ci`, where no more is built than what the tour waits for. */
function freshClone(to: string): void {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0')
  for (const file of files.filter((name) => name !== ''))
    cpSync(path.join(ROOT, file), path.join(to, file), { recursive: true })
  const packages = path.join(to, 'node_modules')
  mkdirSync(packages)
  for (const name of readdirSync(path.join(ROOT, 'node_modules')))
    symlinkSync(path.join(ROOT, 'node_modules', name), path.join(packages, name))
  // Those that the build writes to.
  for (const own of ['lightproof', '.bin']) rmSync(path.join(packages, own))
  symlinkSync(path.join('..', 'sdk'), path.join(packages, 'lightproof'))
  mkdirSync(path.join(packages, '.bin'))
  for (const stamp of ['npm', 'bindgen', 'first']) {
    const file = path.join('.cache', 'stamps', stamp)
    cpSync(path.join(ROOT, file), path.join(to, file))
  }
  const made = path.join('sdk', 'src', 'generated')
  for (const name of readdirSync(path.join(ROOT, made)))
    if (/^(mpt|hash|bn254|bls12_381|light)(\.js|\.d\.ts|_bg\.wasm)$/.test(name))
      cpSync(path.join(ROOT, made, name), path.join(to, made, name))
}

test('behavior: the first tour of a fresh clone builds no more than it needs', async () => {
  const clone = mkdtempSync(path.join(tmpdir(), 'lightproof-clone-'))
  try {
    freshClone(clone)
    const { code, printed, lines } = await start(['--once'], clone)
    expect([code, printed]).toEqual([0, expect.stringContaining('You trust')])
    expect(lines.filter((line) => / REFUSED \(/.test(line))).toHaveLength(valueSystems.length + 2)
    const built = lines.flatMap((line) => /✓ ((?:SDK|WebAssembly).*) \(/.exec(line)?.[1] ?? [])
    expect(built).toEqual(['SDK, without its types, calls and traces'])
    expect(readdirSync(path.join(clone, 'sdk/dist/generated'))).not.toContain('evm_bg.wasm')
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
})

test('behavior: SIGTERM to npm start leaves no process', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'lightproof-start-'))
  // A name by which its processes are found.
  const program = path.join(dir, 'lightproof-node')
  symlinkSync(BINARY, program)
  const tour = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...process.env, LIGHTPROOF_NODE: program },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const closed = once(tour, 'close')
  try {
    const lines = createInterface(tour.stdout)
    await new Promise<void>((resolve) =>
      lines.on('line', (line) => line.includes('✓ start a full node') && resolve()),
    )
    expect(processesOf(program)).toHaveLength(1)
    tour.kill('SIGTERM')
    // Whatever npm started holds this pipe open.
    await closed
    expect(await leftOf(program)).toEqual([])
  } finally {
    tour.kill('SIGKILL')
    rmSync(dir, { recursive: true, force: true })
  }
})

test('error: a flag that there is not, before anything is built or started', async () => {
  const { code, printed } = await start(['--twice'])
  expect(code).toBe(1)
  expect(printed).toContain('usage: npm start [-- [--follow] [--once]]')
  expect(printed).not.toContain('Tour')
})
