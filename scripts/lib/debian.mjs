/** Debian packages, installed only where that is plainly wanted: as root, on Debian. */
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from './run.mjs'

/** True if this process may install Debian packages. */
export function canInstall() {
  return existsSync('/etc/debian_version') && process.getuid?.() === 0
}

/** A mirror that does not answer is asked again after a pause: seconds before each attempt. */
const PAUSES = [0, 5, 20, 60]

/** The installation before: apt-get locks its lists, and does not wait for another one. */
let before = Promise.resolve()

/**
 * Installs packages with apt-get, after those that were asked for earlier.
 *
 * @param {string[]} packages
 * @param {(line: string) => void} onLine
 * @throws {Error} of apt-get, after the last attempt
 */
export function install(packages, onLine) {
  const now = before.then(() => installNow(packages, onLine))
  before = now.catch(() => undefined)
  return now
}

/**
 * @param {string[]} packages
 * @param {(line: string) => void} onLine
 */
async function installNow(packages, onLine) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (/** @type {string[]} */ ...args) =>
    run('apt-get', ['-o', 'Acquire::Retries=3', '-o', 'DPkg::Lock::Timeout=120', ...args], {
      env,
      onLine,
    })
  let failure
  for (const pause of PAUSES) {
    await sleep(pause * 1000)
    try {
      // Without this mode apt-get reports success with a list that it could not fetch.
      await apt('-o', 'APT::Update::Error-Mode=any', 'update')
      // An installation that was cut off before leaves packages half done, and apt-get refuses to
      // go on.
      await run('dpkg', ['--configure', '-a'], { env, onLine })
      await apt('install', '-y', '--no-install-recommends', ...packages)
      return
    } catch (error) {
      failure = error
    }
  }
  throw failure
}
