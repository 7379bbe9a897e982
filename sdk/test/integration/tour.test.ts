/** The tour beside geth (`npm start -- --follow`), as somebody types it. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'

const START = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url))
/** With cargo's feature `ethereum`: what the Rust tests compile. */
const program =
  process.env['LIGHTPROOF_FOLLOWER'] ??
  fileURLToPath(new URL('../../../target/debug/lightproof-node', import.meta.url))

let child: ChildProcess | undefined
// It ends its own children.
afterEach(() => child?.kill('SIGTERM'))

/** Starts the tour. It prints into `lines`; `ended` has its exit code, `said` waits for a line. */
function start(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const tour = spawn(process.execPath, [START, '--follow', ...args], {
    env: { ...process.env, LIGHTPROOF_FOLLOWER: program, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child = tour
  const lines: string[] = []
  const out = createInterface(tour.stdout)
  out.on('line', (line) => lines.push(line))
  createInterface(tour.stderr).on('line', (line) => lines.push(line))
  const ended = once(tour, 'close').then(([code]: unknown[]) => code)
  const said = (pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      out.on('line', (line) => pattern.test(line) && resolve())
      ended.then((code) => reject(new Error(`ended with ${code}:\n${lines.join('\n')}`)))
    })
  return { lines, ended, said, signal: (name: NodeJS.Signals) => tour.kill(name) }
}

test('default: facts of geth by every system, each compared with it, and a lie refused', async () => {
  const { lines, ended } = start(['--once'])
  expect([await ended, lines.join('\n')]).toEqual([0, expect.stringContaining('You trust')])
  const by = (system: string): string[] => lines.filter((line) => line.startsWith(`  ${system} `))
  const [header, attested, refused] = by('mpt')
  expect(header).toMatch(/is 1\.0000 ether, under geth’s own header .* geth’s block hash$/)
  expect(attested).toMatch(/is 1\.0000 ether .* 1 of 1 keys; geth’s block and state root$/)
  expect(refused).toMatch(/REFUSED \(verify\.claim\): .* nobody$/)
  for (const system of ['lmpt', 'lvmt', 'verkle']) {
    expect(by(system)).toEqual([
      expect.stringMatching(/has 123 of the token .*; 1 compared by mpt/),
    ])
  }
  const [history] = by('cole')
  expect(history).toMatch(/had 100, then 120, then 123 of the token, .*; 1 compared by mpt/)
  expect(by('balanceproofs')).toEqual([expect.stringMatching(/; 4 compared by mpt/)])
})

test('behavior: SIGTERM ends the tour, and geth and the node with it', async () => {
  const { lines, ended, said, signal } = start([])
  await said(/until Ctrl-C/)
  const urls = lines.join('\n').match(/http:\/\/127\.0\.0\.1:\d+/g) ?? []
  expect(urls).toHaveLength(2)
  const init = { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}' }
  const headers = { 'content-type': 'application/json' }
  for (const url of urls) expect((await fetch(url, { ...init, headers })).ok).toBe(true)
  signal('SIGTERM')
  expect(await ended).toBe(143)
  for (const url of urls) await expect(fetch(url, init)).rejects.toThrow('fetch failed')
})

test('error: neither geth nor Go, in one sentence', async () => {
  const { lines, ended } = start([], { LIGHTPROOF_GETH: '/nowhere/geth', PATH: '/nowhere' })
  expect(await ended).toBe(1)
  expect(lines.filter((line) => line !== '')).toEqual([
    'This tour runs beside geth, but Go >= 1.24 is not installed (go.dev).',
  ])
})
