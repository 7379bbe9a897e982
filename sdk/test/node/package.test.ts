/**
 * The packed tarball, installed as users install it: in Node.js, through vite, and through esbuild
 * in one file.
 */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build as esbuild } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchTools, install, PROVEN, program, run, TRUSTED, tool } from '../support/installed.js'

const VITE = tool('vite/bin/vite.js')

/**
 * A program whose module `mpt` comes from a server, which sends another one: with a section more, it
 * would run as well.
 */
const REPLACED = `
import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import process from 'node:process'
import { createClient, getBalance, mainnet, setWasm } from 'lightproof'
const honest = readFileSync('node_modules/lightproof/dist/generated/mpt_bg.wasm')
const bytes = Buffer.concat([honest, Buffer.of(0, 2, 1, 97)])
const server = createServer((_, response) => {
  response.setHeader('content-type', 'application/wasm').end(bytes)
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
setWasm({ mpt: 'http://127.0.0.1:' + server.address().port })
const anchor = { block: mainnet.genesisHash }
const client = createClient({ chain: mainnet, anchor, nodes: ['http://127.0.0.1:1'] })
const asked = getBalance(client, { address: '0x' + '00'.repeat(20) })
console.log(await asked.then(({ status }) => status, ({ code }) => code))
process.exit()
`

let app: string
let remove: () => void

beforeAll(async () => {
  const installed = await install()
  app = installed.app
  remove = installed.remove
})
afterAll(() => remove())

test('default: Node.js imports it, workers and the command line included', () => {
  writeFileSync(path.join(app, 'plain.js'), program('lightproof'))
  expect(run(process.execPath, ['--no-warnings', 'plain.js'], app)).toBe(PROVEN)
  const started = "import { startWorkers } from 'lightproof/workers'\nstartWorkers({ size: 1 })\n"
  writeFileSync(path.join(app, 'workers.js'), started + program('lightproof'))
  // It ends by itself: an idle worker holds no process.
  expect(run(process.execPath, ['--no-warnings', 'workers.js'], app)).toBe(PROVEN)
  const cli = path.join(app, 'node_modules', '.bin', 'lightproof')
  expect(run(cli, ['verify', 'file.json', '--block', TRUSTED], app)).toContain('present')
})

test('default: Bun and Deno run it as Node.js does', () => {
  // 200 MB that nobody else needs: not among the packages of the workspace.
  const tools = path.join(app, 'tools')
  mkdirSync(tools)
  writeFileSync(path.join(tools, 'package.json'), '{}')
  fetchTools(tools, 'bun@1.4.5', 'deno@2.9.6')
  const binary = (name: string): string => path.join(tools, 'node_modules', '.bin', name)
  writeFileSync(path.join(app, 'plain.js'), program('lightproof'))
  expect(run(binary('bun'), ['plain.js'], app)).toBe(PROVEN)
  const deno = ['run', '--quiet', '--no-remote', '--node-modules-dir=manual', '--allow-read']
  expect(run(binary('deno'), [...deno, 'plain.js'], app)).toBe(PROVEN)
  // Neither compares the digest that `fetch` is given.
  writeFileSync(path.join(app, 'replaced.js'), REPLACED)
  expect(run(binary('bun'), ['replaced.js'], app)).toBe('platform.wasm\n')
  expect(run(binary('deno'), [...deno, '--allow-net', 'replaced.js'], app)).toBe('platform.wasm\n')
})

test('default: esbuild makes one file of it, which needs no other', async () => {
  writeFileSync(path.join(app, 'inline.js'), program('lightproof/inline'))
  const outfile = path.join(app, 'alone', 'inline.mjs')
  const options = { bundle: true, format: 'esm', platform: 'browser', target: 'es2022' } as const
  await esbuild({ ...options, entryPoints: [path.join(app, 'inline.js')], outfile })
  expect(run(process.execPath, ['alone/inline.mjs'], app)).toBe(PROVEN)
})

test('default: vite finds the wasm and the worker by itself', () => {
  const page = path.join(app, 'page')
  mkdirSync(page)
  writeFileSync(
    path.join(page, 'index.html'),
    '<script type="module">import { verifyProofFile } from "lightproof"; globalThis.check = verifyProofFile</script>',
  )
  // Nothing is configured.
  run(process.execPath, [VITE, 'build', '--logLevel', 'error'], page)
  const assets = readdirSync(path.join(page, 'dist', 'assets')).join(' ')
  for (const file of [
    /mpt_bg-\S+\.wasm/,
    /hash_bg-\S+\.wasm/,
    /bls12_381_bg-\S+\.wasm/,
    /bn254_bg-\S+\.wasm/,
    /light_bg-\S+\.wasm/,
    /evm_bg-\S+\.wasm/,
    /web-\S+\.js/,
  ]) {
    expect(assets).toMatch(file)
  }
})

test('default: a bundler leaves out the systems and actions that a page does not use', async () => {
  const bundled = async (contents: string): Promise<string> => {
    const options = { bundle: true, format: 'esm', platform: 'browser', minify: true } as const
    const { outputFiles } = await esbuild({
      ...options,
      stdin: { contents, resolveDir: app },
      // Whatever is loaded later is in files of its own.
      splitting: true,
      write: false,
      outdir: path.join(app, 'unused'),
    })
    return outputFiles.find((file) => file.path.endsWith('stdin.js'))?.text ?? ''
  }
  const system = await bundled("export { lvmt } from 'lightproof/lvmt'")
  expect(system).toContain('LvmtVerifier')
  expect(system).not.toMatch(/VerkleVerifier|BalanceProofsVerifier|ColeVerifier|LmptVerifier/)
  const some = await bundled("export { getBalance, createClient } from 'lightproof'")
  expect(some).not.toMatch(/VerkleVerifier|LvmtVerifier|ColeVerifier/)
  const all = await bundled("export * from 'lightproof'")
  expect(some.length).toBeLessThan(all.length)
})

test('default: Node.js loads few files of it', () => {
  writeFileSync(
    path.join(app, 'hooks.mjs'),
    `import { appendFileSync } from 'node:fs'
     export async function load(url, context, next) {
       if (url.includes('/lightproof/')) appendFileSync('loaded.txt', url + '\\n')
       return next(url, context)
     }`,
  )
  writeFileSync(
    path.join(app, 'few.mjs'),
    `import { register } from 'node:module'
     register('./hooks.mjs', import.meta.url)
     await import('lightproof')`,
  )
  run(process.execPath, ['--no-warnings', 'few.mjs'], app)
  const loaded = readFileSync(path.join(app, 'loaded.txt'), 'utf8').trim().split('\n')
  expect(loaded.length).toBeLessThanOrEqual(6)
})

test('default: webpack finds the wasm and the worker by itself', () => {
  const folder = path.join(app, 'webpack')
  mkdirSync(folder)
  writeFileSync(
    path.join(folder, 'page.js'),
    "import { startWorkers } from 'lightproof/workers'\nimport { verifyProofFile } from 'lightproof'\nstartWorkers()\nglobalThis.check = verifyProofFile\n",
  )
  writeFileSync(
    path.join(folder, 'build.cjs'),
    `const webpack = require(${JSON.stringify(tool('webpack'))})
     webpack({ mode: 'production', context: __dirname, entry: './page.js', performance: false }, (error, stats) => {
       if (error || stats.hasErrors() || stats.hasWarnings()) throw error ?? new Error(stats.toString())
     })`,
  )
  run(process.execPath, ['build.cjs'], folder)
  const files = readdirSync(path.join(folder, 'dist'))
  // Its modules, and scripts: the page's, the worker's, and what is loaded later.
  expect(files.filter((file) => file.endsWith('.wasm')).length).toBeGreaterThanOrEqual(6)
  expect(files.filter((file) => file.endsWith('.js')).length).toBeGreaterThan(5)
})

test('default: where wasm is imported as modules, and the program gives them', async () => {
  const own = "import { setWasm } from 'lightproof'\nimport mpt from 'lightproof/mpt.wasm'\n"
  const contents = `${own}setWasm({ mpt })\n${program('lightproof')}`
  const outfile = path.join(app, 'alone', 'edge.mjs')
  await esbuild({
    stdin: { contents, resolveDir: app },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['worker', 'browser'],
    outfile,
    plugins: [
      {
        // A module, compiled before the program starts.
        name: 'compiled',
        setup: (hooks) => {
          hooks.onLoad({ filter: /\.wasm$/ }, ({ path: file }) => ({
            contents: `const { readFileSync } = process.getBuiltinModule('node:fs')
              export default new WebAssembly.Module(readFileSync(${JSON.stringify(file)}))`,
          }))
        },
      },
    ],
  })
  expect(run(process.execPath, ['alone/edge.mjs'], app)).toBe(PROVEN)
})

test.each([
  ["with a document, as Jest's and Vitest's have one", 'globalThis.document = {}'],
  ['without a worker, a document or fetch', 'delete globalThis.fetch'],
])('default: the entry of browsers is evaluated %s', async (_, before) => {
  const outfile = path.join(app, 'alone', 'dom.mjs')
  const options = { bundle: true, format: 'esm', platform: 'browser', target: 'es2022' } as const
  writeFileSync(
    path.join(app, 'dom.js'),
    "import * as all from 'lightproof'\nconsole.log(typeof all.getBalance)\n",
  )
  await esbuild({
    ...options,
    entryPoints: [path.join(app, 'dom.js')],
    outfile,
    banner: { js: before },
  })
  expect(run(process.execPath, ['alone/dom.mjs'], app)).toBe('function\n')
})
