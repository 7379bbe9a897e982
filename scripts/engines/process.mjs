// @ts-check
// Starts and ends programs so that none outlives this process.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** @import { ChildProcess } from 'node:child_process' */

/**
 * A folder under the system's temporary folder, and an environment that keeps a browser's profile,
 * cache and settings inside it.
 *
 * @param {string} engine
 */
export function temporaryHome(engine) {
  const path = mkdtempSync(join(tmpdir(), `lightproof-${engine}-`))
  const environment = {
    ...process.env,
    HOME: path,
    XDG_CACHE_HOME: join(path, 'cache'),
    XDG_CONFIG_HOME: join(path, 'config'),
    XDG_DATA_HOME: join(path, 'data'),
    XDG_RUNTIME_DIR: path,
  }
  // The browser may still be writing while it dies; its folder is removed again then.
  const remove = () =>
    rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  return { path, environment, remove }
}

/**
 * Starts a program at the head of a process group of its own, which ends with this process at the
 * latest.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, stdio: import('node:child_process').StdioOptions }} options
 */
export function startGroup(program, args, options) {
  const child = spawn(program, args, { ...options, detached: true })
  const exited = new Promise((resolve) => {
    child.once('exit', () => resolve(undefined))
    child.once('error', () => resolve(undefined))
  })
  const kill = () => signalGroup(child, 'SIGKILL')
  process.once('exit', kill)
  const stop = async () => {
    signalGroup(child, 'SIGTERM')
    const insist = setTimeout(kill, 5_000)
    await exited
    clearTimeout(insist)
    // The leader is gone; whatever it had started in its group goes too.
    kill()
    process.removeListener('exit', kill)
  }
  return { child, exited, stop }
}

/**
 * Signals a program and all that it started, if it is at the head of a process group.
 *
 * @param {ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
export function signalGroup(child, signal) {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // No process of the group is left.
  }
}
