/** First balances: in pages with a cold and a warm cache, and in fresh processes. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import { launch } from '../../scripts/engines/launch.mjs'
import { serveStatic } from '../../scripts/engines/serve.mjs'
import { serveOneBlock } from '../../scripts/lib/oneBlock.mjs'
import { at } from '../../scripts/lib/repo.mjs'
import { run } from '../../scripts/lib/run.mjs'
import { partsOf, STEPS } from './watch.mjs'

/** @typedef {import('../../scripts/engines/types.ts').EngineName} EngineName */
/** @typedef {import('./watch.mjs').Times} Times */
/** @typedef {{ whole: number, parts: Times, noted: readonly Step[] }} Start milliseconds */
/** @typedef {import('./watch.mjs').Step} Step */
/** @typedef {Awaited<ReturnType<typeof serveOneBlock>>} OneBlock */

const HERE = at('bench', 'firstProof')
const DIST = at('sdk', 'dist')

/** @param {OneBlock} node */
function taskOf({ url, block, address, chainId, balance }) {
  return JSON.stringify({ url, block, address, chainId, balance: String(balance) })
}

/**
 * @param {string} name
 * @param {unknown} ends
 * @returns {Start}
 */
function startOf(name, ends) {
  if (typeof ends !== 'object' || ends === null) throw new Error(`${name}: ${ends}`)
  const times = /** @type {Times} */ (ends)
  const noted = STEPS.filter((step) => step in times)
  return { whole: times.proof, parts: partsOf(times), noted }
}

/**
 * A start in a fresh process, the process' own not counted.
 *
 * @param {OneBlock} node
 * @param {string} [dist] the package's, as built
 */
export async function startInNode(node, dist = DIST) {
  const args = [path.join(HERE, 'child.mjs'), path.join(dist, 'entry', 'node.js'), taskOf(node)]
  return startOf('Node.js', JSON.parse(await run(process.execPath, args)))
}

/**
 * Starts of a page from the navigation on: one sample of each kind a round. A cold cache is that of
 * an origin which the browser has not seen; a warm one that of its second page.
 *
 * @param {EngineName} name
 * @param {OneBlock} node
 * @param {number} rounds
 * @param {readonly string[]} [dists] the package's, as built
 * @returns {Promise<{ cold: Start[], warm: Start[] }[]>} of each build
 */
export async function startInPages(name, node, rounds, dists = [DIST]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'lightproof-bench-'))
  const builds = dists.map((dist, i) => ({ dist, folder: path.join(folder, String(i)) }))
  const engine = await launch(name)
  try {
    for (const { dist, folder } of builds) await buildPage(dist, folder)
    /** @type {{ cold: Start[], warm: Start[] }[]} */
    const found = builds.map(() => ({ cold: [], warm: [] }))
    // The first round warms the browser, not the origins.
    for (let round = 0; round <= rounds; round++) {
      for (const [i, { folder }] of builds.entries()) {
        const starts = await openTwice(engine, folder, taskOf(node))
        if (round === 0) continue
        found[i]?.cold.push(starts.cold)
        found[i]?.warm.push(starts.warm)
      }
    }
    return found
  } finally {
    await engine.close()
    rmSync(folder, { recursive: true })
  }
}

/**
 * @param {import('../../scripts/engines/types.ts').Engine} engine
 * @param {string} folder
 * @param {string} task
 */
async function openTwice(engine, folder, task) {
  const server = await serveStatic(folder, { cacheControl: 'max-age=3600' })
  const open = async () => {
    await engine.open(`${server.url}/?${encodeURIComponent(task)}`)
    await engine.waitFor('globalThis.ends !== undefined')
    return startOf(engine.name, await engine.evaluate('globalThis.ends'))
  }
  try {
    return { cold: await open(), warm: await open() }
  } finally {
    await server.close()
  }
}

/**
 * The page as a bundler makes it: minified, in as many files as it may have.
 *
 * @param {string} dist
 * @param {string} folder
 */
async function buildPage(dist, folder) {
  const common = /** @type {const} */ ({
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
  })
  const worker = path.join(dist, 'workers', 'web.js')
  await Promise.all([
    build({
      ...common,
      entryPoints: [path.join(HERE, 'page.mjs')],
      outdir: path.join(folder, 'scripts'),
      splitting: true,
      alias: { lightproof: path.join(dist, 'entry', 'web.js') },
    }),
    build({ ...common, entryPoints: [worker], outdir: path.join(folder, 'workers') }),
  ])
  mkdirSync(path.join(folder, 'generated'))
  const module = 'mpt_bg.wasm'
  copyFileSync(path.join(dist, 'generated', module), path.join(folder, 'generated', module))
  const script = '<script type="module" src="scripts/page.js"></script>'
  const icon = '<link rel="icon" href="data:,">'
  writeFileSync(path.join(folder, 'index.html'), `<!doctype html><title>x</title>${icon}${script}`)
}
