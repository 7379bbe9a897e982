/**
 * Light clients of others: in a folder of their own, so that nobody but the benchmark installs
 * their many packages.
 */

import { existsSync } from 'node:fs'
import { at } from '../../scripts/lib/repo.mjs'
import { run } from '../../scripts/lib/run.mjs'

const NAMES = /** @type {const} */ (['lodestar', 'noble'])

/** Are they here? */
function hasPeers() {
  return existsSync(at('bench', 'peers', 'node_modules'))
}

/** Installs them as their lockfile says; no script of theirs runs. */
export async function installPeers() {
  if (!hasPeers()) await run('npm', ['ci', '--ignore-scripts', '--prefix', at('bench', 'peers')])
}

/** @returns {Promise<import('./types.js').Client[]>} none if they are not installed */
export async function loadPeers() {
  if (!hasPeers()) return []
  const modules = NAMES.map((name) => import(new URL(`../peers/${name}.mjs`, import.meta.url).href))
  return (await Promise.all(modules)).map(({ client }) => client)
}
