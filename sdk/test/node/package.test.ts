/** The packed tarball, installed as users install it: in Node.js, through vite, and through esbuild in one file. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build as esbuild } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchProof } from '../../src/entry/node.js'
import { honest, makeChain, OWNER } from '../support/chain.js'
import { clientOf } from '../support/client.js'

const SDK = fileURLToPath(new URL('../..', import.meta.url))
const VITE = fileURLToPath(new URL('../../../node_modules/vite/bin/vite.js', import.meta.url))
const chain = makeChain(12)

let app: string

const run = (command: string, args: readonly string[], cwd: string): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

beforeAll(async () => {
  app = mkdtempSync(path.join(tmpdir(), 'lightproof-app-'))
  const packed = run('npm', ['pack', '--silent', '--pack-destination', app], SDK).trim()
  const manifest = { name: 'app', private: true, type: 'module' }
  writeFileSync(path.join(app, 'package.json'), JSON.stringify(manifest))
  const quiet = ['--offline', '--no-audit', '--no-fund', '--omit=peer']
  run('npm', ['install', ...quiet, path.join(app, packed)], app)
  const { client } = clientOf(chain, [honest(chain)])
  const file = await fetchProof(client, { address: OWNER })
  writeFileSync(path.join(app, 'file.json'), JSON.stringify(file))
}, 120_000)
afterAll(() => rmSync(app, { recursive: true, force: true }))

/** A program that checks the file and prints what it proves. */
function program(entry: string): string {
  return `
    import { verifyProofFile } from '${entry}'
    import file from './file.json' with { type: 'json' }
    const { status, value } = await verifyProofFile(file, { anchor: { block: '${chain.head.hash}' } })
    console.log(status, String(value.account.balance))
  `
}

const PROVEN = `present ${chain.head.balance}\n`

test('default: Node.js imports it, workers and the command line included', () => {
  writeFileSync(path.join(app, 'plain.js'), program('lightproof'))
  expect(run(process.execPath, ['--no-warnings', 'plain.js'], app)).toBe(PROVEN)
  const started = "import { startWorkers } from 'lightproof/workers'\nstartWorkers({ size: 1 })\n"
  writeFileSync(path.join(app, 'workers.js'), started + program('lightproof'))
  // It ends by itself: an idle worker holds no process.
  expect(run(process.execPath, ['--no-warnings', 'workers.js'], app)).toBe(PROVEN)
  const cli = path.join(app, 'node_modules', '.bin', 'lightproof')
  expect(run(cli, ['verify', 'file.json', '--block', chain.head.hash], app)).toContain('present')
})

test('default: esbuild makes one file of it, which needs no other', async () => {
  writeFileSync(path.join(app, 'inline.js'), program('lightproof/inline'))
  const outfile = path.join(app, 'alone', 'inline.mjs')
  const options = { bundle: true, format: 'esm', platform: 'browser', target: 'es2022' } as const
  await esbuild({ ...options, entryPoints: [path.join(app, 'inline.js')], outfile })
  expect(run(process.execPath, ['alone/inline.mjs'], app)).toBe(PROVEN)
})

test('default: vite finds the wasm and the worker by itself', { timeout: 120_000 }, () => {
  const page = path.join(app, 'page')
  mkdirSync(page)
  writeFileSync(
    path.join(page, 'index.html'),
    '<script type="module">import { startWorkers } from "lightproof/workers"; import { verifyProofFile } from "lightproof"; startWorkers(); globalThis.check = verifyProofFile</script>',
  )
  // Modules may await at the top level in every engine that the package runs in.
  writeFileSync(
    path.join(page, 'vite.config.js'),
    'export default { build: { target: "es2022" }, worker: { format: "es" } }',
  )
  run(process.execPath, [VITE, 'build', '--logLevel', 'error'], page)
  const assets = readdirSync(path.join(page, 'dist', 'assets')).join(' ')
  for (const file of [
    /hash_bg-\S+\.wasm/,
    /bls12_381_bg-\S+\.wasm/,
    /bn254_bg-\S+\.wasm/,
    /light_bg-\S+\.wasm/,
    /web-\S+\.js/,
  ]) {
    expect(assets).toMatch(file)
  }
})
