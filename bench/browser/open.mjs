/** The same checks in the engines of browsers: same bytes, same modules, in a page. */

import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { engineNames, findEngine } from '../../scripts/engines/find.mjs'
import { launch } from '../../scripts/engines/launch.mjs'
import { serveStatic } from '../../scripts/engines/serve.mjs'
import { at } from '../../scripts/lib/repo.mjs'
import { median } from '../lib/measure.mjs'

/** @typedef {import('./types.js').Browsers} Browsers */
/** @typedef {import('./types.js').Measured} Measured */
/** @typedef {import('./types.js').Question} Question */

const ROUNDS = 15
/** What Node.js starts modules with, and what a page does. */
const GLUE = /\/lib\/glue\.mjs$/

const columnOf = (/** @type {string} */ name) => `browser-${name}`

/**
 * Opens a page in each engine that is on this machine.
 *
 * @param {number} [rounds]
 * @returns {Promise<Browsers>}
 */
export async function openBrowsers(rounds = ROUNDS) {
  const folder = await mkdtemp(path.join(tmpdir(), 'lightproof-bench-'))
  await buildPage(folder)
  const server = await serveStatic(folder)
  /** @type {import('../../scripts/engines/types.ts').Engine[]} */
  const engines = []
  for (const name of engineNames.filter((one) => findEngine(one).status === 'found')) {
    const engine = await launch(name)
    engines.push(engine)
    await engine.open(`${server.url}/`)
  }
  let asked = 0
  return {
    titles: engines.map(({ name }) => [columnOf(name), `in ${titleOf(name)}`]),
    measure: async (question) => {
      const file = `${asked++}.json`
      await writeFile(path.join(folder, file), JSON.stringify(question))
      /** @type {Map<string, Measured>} */
      const found = new Map()
      // One after the other: each has the processors to itself.
      for (const engine of engines) {
        await engine.evaluate(`window.begin(${JSON.stringify(file)}, ${rounds})`)
        await engine.waitFor('window.samples !== undefined')
        const samples = await engine.evaluate('window.samples')
        if (!Array.isArray(samples)) throw new Error(`${engine.name}: ${samples}`)
        const measured = { engine: engine.name, medianUs: median(samples), runs: samples.length }
        found.set(columnOf(engine.name), measured)
      }
      return found
    },
    close: async () => {
      for (const engine of engines) await engine.close()
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** @param {string} name */
function titleOf(name) {
  return name === 'webkit' ? 'WebKit' : `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
}

/** @param {string} folder */
async function buildPage(folder) {
  const generated = new URL('../generated/', import.meta.resolve('lightproof'))
  await mkdir(path.join(folder, 'generated'))
  const files = (await readdir(generated)).filter((file) => /^\w+(\.js|_bg\.wasm)$/.test(file))
  const html = '<!doctype html><meta charset="utf-8"><script type="module" src="page.js"></script>'
  await Promise.all([
    writeFile(path.join(folder, 'index.html'), html),
    ...files.map((file) =>
      copyFile(fileURLToPath(new URL(file, generated)), path.join(folder, 'generated', file)),
    ),
    build({
      entryPoints: [at('bench/browser/page.mjs')],
      outfile: path.join(folder, 'page.js'),
      bundle: true,
      format: 'esm',
      target: 'es2022',
      logLevel: 'warning',
      external: ['lightproof'],
      plugins: [
        {
          name: 'glue',
          setup(bundle) {
            bundle.onResolve({ filter: GLUE }, () => ({ path: at('bench/browser/glue.mjs') }))
          },
        },
      ],
    }),
  ])
}
