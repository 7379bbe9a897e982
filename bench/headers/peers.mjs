/** Light clients of others. */

import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { at } from '../../scripts/lib/repo.mjs'
import { hasPeers } from '../lib/peers.mjs'

/** @typedef {import('./types.js').Client} Client */

/** @returns {Promise<Client[]>} none if they are not installed */
export async function loadPeers() {
  if (!hasPeers()) return []
  const files = [
    at('bench', 'peers', 'lodestar.mjs'),
    await bundle('lodestar.mjs'),
    at('bench', 'peers', 'herumi.mjs'),
    at('bench', 'peers', 'noble.mjs'),
  ]
  const modules = files.map((file) => import(pathToFileURL(file).href))
  return (await Promise.all(modules)).map(({ client }) => client)
}

/**
 * A peer as pages get it: bundled for browsers, where no package sees a process. It still runs in
 * Node, beside the others.
 *
 * @param {string} name of its file
 */
async function bundle(name) {
  const dir = at('bench', 'peers', 'node_modules', '.bundles')
  const require =
    "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)"
  await build({
    entryPoints: [at('bench', 'peers', name)],
    outdir: dir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What is imported lazily, and never in a browser, stays apart.
    splitting: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['browser', 'module', 'main'],
    conditions: ['browser'],
    define: { process: 'undefined' },
    external: ['@chainsafe/blst'],
    banner: { js: require },
    logLevel: 'error',
  })
  return at('bench', 'peers', 'node_modules', '.bundles', name)
}
