/**
 * Libraries of others: in a folder of their own, so that nobody but the benchmark installs their
 * many packages.
 */

import { existsSync } from 'node:fs'
import { at } from '../../scripts/lib/repo.mjs'
import { run } from '../../scripts/lib/run.mjs'

const PEERS = at('bench', 'peers')

/** Are they here? */
export function hasPeers() {
  return existsSync(at('bench', 'peers', 'node_modules', '@a16z', 'helios'))
}

/** Installs them as their lockfile says; no script of theirs runs. */
export async function installPeers() {
  if (!hasPeers()) await run('npm', ['ci', '--ignore-scripts', '--prefix', PEERS])
}
