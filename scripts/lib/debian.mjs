/** Debian packages, installed only where that is plainly wanted: as root, on Debian. */
import { existsSync } from 'node:fs'
import { run } from './run.mjs'

/** True if this process may install Debian packages. */
export function canInstall() {
  return existsSync('/etc/debian_version') && process.getuid?.() === 0
}

/**
 * Installs packages with apt-get.
 *
 * @param {string[]} packages
 * @param {(line: string) => void} onLine
 */
export async function install(packages, onLine) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update'], { env, onLine })
  await run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], { env, onLine })
}
