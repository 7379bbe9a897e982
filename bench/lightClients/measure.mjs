/** Starts of light clients: in fresh processes, and at origins that a browser has not seen. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { findEngine } from '../../scripts/engines/find.mjs'
import { launch } from '../../scripts/engines/launch.mjs'
import { serveStatic } from '../../scripts/engines/serve.mjs'
import { serveOneBlock } from '../../scripts/lib/oneBlock.mjs'
import { at } from '../../scripts/lib/repo.mjs'
import { run } from '../../scripts/lib/run.mjs'
import { startInNode } from '../firstProof/measure.mjs'

/** @typedef {import('./clients.mjs').LightClient} LightClient */
/** @typedef {{ raw: number, gzip: number }} Loaded bytes */

const HERE = at('bench', 'lightClients')

/**
 * @template T
 * @param {(folder: string) => Promise<T>} work
 */
async function inFolder(work) {
  const folder = mkdtempSync(path.join(tmpdir(), 'lightproof-bench-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Milliseconds until it is ready, in a fresh process, import included.
 *
 * @param {LightClient} client
 * @returns {Promise<number>}
 */
export function readyInNode({ file }) {
  // One of them writes its state into the folder that it runs in.
  return inFolder(async (cwd) => {
    const out = await run(process.execPath, [path.join(HERE, 'child.mjs'), file], { cwd })
    return JSON.parse(out.split('\n').at(-1) ?? '').ms
  })
}

/**
 * Milliseconds from the import to a proven balance, in a fresh process, from a node beside it and a
 * pinned block.
 *
 * @returns {Promise<number>}
 */
export async function firstProof() {
  const node = await serveOneBlock()
  try {
    return (await startInNode(node)).whole
  } finally {
    node.close()
  }
}

/**
 * A page that starts the client, minified as it would be served.
 *
 * @param {LightClient} client
 * @param {string} folder
 */
async function writePage({ file, page = file, assets }, folder) {
  const contents = `
    import { readyAt } from ${JSON.stringify(path.join(HERE, 'watch.mjs'))}
    readyAt(async () => (await import(${JSON.stringify(page)})).start()).then(
      (ms) => { globalThis.readyMs = ms },
      (error) => { globalThis.failed = String(error) },
    )`
  await build({
    stdin: { contents, resolveDir: HERE },
    outdir: path.join(folder, 'scripts'),
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
  })
  for (const [from, to] of assets) {
    mkdirSync(path.dirname(path.join(folder, to)), { recursive: true })
    copyFileSync(from, path.join(folder, to))
  }
  const script = '<script type="module" src="scripts/stdin.js"></script>'
  const icon = '<link rel="icon" href="data:,">'
  writeFileSync(path.join(folder, 'index.html'), `<!doctype html><title>x</title>${icon}${script}`)
}

/** Whether there is a browser to measure in. */
export function hasBrowser() {
  return findEngine('chromium').status === 'found'
}

/**
 * Of each client the milliseconds from the navigation until it is ready, one sample a round, the
 * clients in turn; and what its page has loaded by then, without the HTML.
 *
 * @param {readonly LightClient[]} clients
 * @param {number} rounds
 * @returns {Promise<{ times: number[], loaded: Loaded }[]>}
 */
export function readyInPages(clients, rounds) {
  return inFolder(async (folder) => {
    const pages = clients.map((client) => ({
      client,
      folder: path.join(folder, client.id),
      times: /** @type {number[]} */ ([]),
      loaded: /** @type {Loaded} */ ({ raw: 0, gzip: 0 }),
    }))
    for (const page of pages) await writePage(page.client, page.folder)
    const engine = await launch('chromium')
    try {
      // The first round warms the browser, not the origins.
      for (let round = 0; round <= rounds; round++) {
        for (const page of pages) {
          const { ms, files } = await openPage(engine, page.folder)
          if (round === rounds) page.loaded = sizes(files.map((file) => readFileSync(file)))
          if (round > 0) page.times.push(ms)
        }
      }
    } finally {
      await engine.close()
    }
    return pages
  })
}

/**
 * @param {import('../../scripts/engines/types.ts').Engine} engine
 * @param {string} folder
 */
async function openPage(engine, folder) {
  const server = await serveStatic(folder)
  try {
    await engine.open(`${server.url}/`)
    await engine.waitFor('globalThis.readyMs ?? globalThis.failed')
    const ms = await engine.evaluate('globalThis.readyMs ?? globalThis.failed')
    if (typeof ms !== 'number') throw new Error(`${folder} did not start: ${ms}`)
    const files = [...new Set(server.requests)].filter((file) => file !== '/')
    return { ms, files: files.map((file) => path.join(folder, file)) }
  } finally {
    await server.close()
  }
}

/**
 * @param {readonly Uint8Array[]} files
 * @returns {Loaded}
 */
function sizes(files) {
  const sum = (/** @type {(file: Uint8Array) => Uint8Array} */ pack) =>
    files.reduce((bytes, file) => bytes + pack(file).length, 0)
  return {
    raw: sum((file) => file),
    gzip: sum((file) => gzipSync(file, { level: 9 })),
  }
}
