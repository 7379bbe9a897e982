/**
 * The systems' parts of the benchmark: every module in `cases/`, so that a new system only adds a
 * file.
 */

import { readdirSync } from 'node:fs'

/** @typedef {import('./types.js').Engine} Engine */
/** @typedef {import('./types.js').OwnSuite} OwnSuite */
/** @typedef {import('./types.js').Suite} Suite */

/** @returns {Promise<Suite[]>} those whose engines check proofs under a root */
export async function loadSuites() {
  return (await loadAll()).filter((suite) => 'engines' in suite)
}

/** @returns {Promise<OwnSuite[]>} those that measure by themselves */
export async function loadOwnSuites() {
  return (await loadAll()).filter((suite) => 'run' in suite)
}

/** @returns {Promise<(Suite | OwnSuite)[]>} */
async function loadAll() {
  const directory = new URL('../cases/', import.meta.url)
  const files = readdirSync(directory).sort()
  const modules = files.map((file) => import(new URL(file, directory).href))
  return (await Promise.all(modules)).map(({ suite }) => suite)
}

/**
 * An engine by the name of its module.
 *
 * @param {string} id
 * @returns {Promise<Engine>}
 */
export async function loadEngine(id) {
  return (await import(new URL(`../engines/${id}.mjs`, import.meta.url).href)).engine
}
