/**
 * The packed tarball, installed as users install it, in pages: without a bundler, and as webpack and
 * Vite build it. A proof of hashes is checked on the page's thread, and one of pairings in a worker.
 */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import webpack from 'webpack'
import { consoleErrors, inEveryEngine } from '../support/engines.js'
import { someProof } from '../support/proof.js'

const SDK = fileURLToPath(new URL('../../../sdk', import.meta.url))
const VITE = fileURLToPath(new URL('../../../node_modules/vite/bin/vite.js', import.meta.url))

const script = `
  import { defineChain, verifyProofFile } from 'lightproof'
  import { verkle } from 'lightproof/verkle'
  const { file, block, slow } = JSON.parse(document.getElementById('file').textContent)
  const { number, bytes } = slow.source.root
  Promise.all([
    verifyProofFile(file, { anchor: { block } }),
    verifyProofFile(slow, {
      anchor: { root: bytes, system: 'verkle', number: Number(number) },
      chain: defineChain({ name: 'vectors', ...slow.chain, systems: { verkle: slow.config } }),
      systems: [verkle],
    }),
  ]).then(
    (results) => { window.report = results.map(({ status }) => status).join() },
    (error) => { window.report = String(error) },
  )
`

/** A proof of pairings, as a file. */
function slowProof(): object {
  const vectors = new URL('../../../test-vectors/verkle.json', import.meta.url)
  const { groups } = JSON.parse(readFileSync(vectors, 'utf8'))
  const [{ chain, config, tests }] = groups
  const { expected: _, ...vector } = tests[0]
  return { schema: 1, kind: 'proof', system: 'verkle', chain, config, ...vector }
}

let app: string

const run = (command: string, args: readonly string[], cwd: string): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

function page(proof: string, scripts: string): string {
  const data = `<script id="file" type="application/json">${proof.replaceAll('<', '\\u003c')}</script>`
  const head = '<meta charset="utf-8"><link rel="icon" href="data:,">'
  return `<!doctype html><html><head>${head}</head><body>${data}${scripts}</body></html>`
}

beforeAll(async () => {
  app = mkdtempSync(join(tmpdir(), 'lightproof-installed-'))
  const packed = run('npm', ['pack', '--silent', '--pack-destination', app], SDK).trim()
  writeFileSync(join(app, 'package.json'), '{"name":"app","private":true,"type":"module"}')
  const quiet = ['--offline', '--no-audit', '--no-fund', '--omit=peer']
  run('npm', ['install', ...quiet, join(app, packed)], app)
  const proof = JSON.stringify({ ...JSON.parse(await someProof()), slow: slowProof() })
  writeFileSync(join(app, 'page.js'), script)
  const entries = '/node_modules/lightproof/dist/entry'
  const imports = { lightproof: `${entries}/web.js`, 'lightproof/verkle': `${entries}/verkle.js` }
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`
  const main = '<script type="module" src="page.js"></script>'
  writeFileSync(join(app, 'plain.html'), page(proof, map + main))
  writeFileSync(join(app, 'webpack.html'), page(proof, '<script src="webpack/main.js"></script>'))
  const source = join(app, 'source')
  mkdirSync(source)
  writeFileSync(join(source, 'page.js'), script)
  writeFileSync(join(source, 'index.html'), page(proof, main))
  // The defaults of both: no loader, no plugin.
  const into = ['--base', './', '--outDir', join(app, 'vite')]
  run(process.execPath, [VITE, 'build', '--logLevel', 'error', ...into], source)
  const config = { context: app, entry: './page.js', output: { path: join(app, 'webpack') } }
  await new Promise<void>((resolve, reject) => {
    webpack({ ...config, mode: 'production', target: 'web' }, (error, stats) => {
      const problems = stats?.toJson({ errors: true, warnings: true })
      if (error) reject(error)
      else if (problems?.errors?.length) reject(new Error(JSON.stringify(problems.errors)))
      else resolve()
    })
  })
})

afterAll(() => rmSync(app, { recursive: true, force: true }))

inEveryEngine((lab) => {
  test.each([
    ['plain.html', '/node_modules/lightproof/dist/workers/web.js'],
    ['webpack.html', undefined],
    ['vite/index.html', '/vite/assets/web-'],
  ])('default: the page %s proves, here and in a worker', async (file, worker) => {
    const { url, requests } = await lab.serve(app)
    const engine = lab.engine()
    await engine.open(`${url}/${file}`)
    await engine.waitFor('window.report !== undefined')
    expect(await engine.evaluate('window.report')).toBe('present,proven')
    const scripts = requests.filter((path) => path.endsWith('.js'))
    if (worker === undefined) expect(scripts.length).toBeGreaterThan(2)
    else expect(scripts.filter((path) => path.startsWith(worker))).toHaveLength(1)
    expect(requests.filter((path) => path.endsWith('.wasm'))).toHaveLength(2)
    expect(await consoleErrors(engine)).toEqual([])
  })
})
