/** Child processes: run to the end with the output kept, or hold one that must not outlive us. */
import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from './repo.mjs'

/** @typedef {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, import('node:stream').Readable>} Child */

/** @type {Set<Child>} */
const running = new Set()
const windows = process.platform === 'win32'

/** A command that ended badly; `output` is everything it printed. */
export class CommandError extends Error {
  /**
   * @param {string} command
   * @param {string | number} code
   * @param {string} output
   */
  constructor(command, code, output) {
    super(`${command} failed (${code})`)
    this.name = 'CommandError'
    this.output = output
  }
}

/**
 * Starts a child in a process group of its own, so that `stop` also reaches its children.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Child}
 */
export function start(command, args, { cwd = root, env = {} } = {}) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !windows,
    shell: windows && command === 'npm',
  })
  running.add(child)
  child.once('close', () => running.delete(child))
  child.once('error', () => running.delete(child))
  return child
}

/**
 * Ends a child and all that it started.
 *
 * @param {Child} child
 * @param {NodeJS.Signals} [signal]
 */
function stop(child, signal = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  try {
    if (windows) child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

const GRACE_MS = 3000

/** Ends every child and waits until they are gone; those that take too long are killed when this process ends. */
export async function stopAll() {
  const gone = [...running].map((child) => new Promise((resolve) => child.once('close', resolve)))
  for (const child of running) stop(child)
  await Promise.race([Promise.all(gone), sleep(GRACE_MS, undefined, { ref: false })])
}

process.once('exit', () => {
  for (const child of running) stop(child, 'SIGKILL')
})

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }
for (const [signal, code] of Object.entries(SIGNALS)) {
  process.once(signal, () => stopAll().finally(() => process.exit(code)))
}

/**
 * Runs a command to its end and returns what it printed (stdout and stderr in order of arrival).
 * `onLine` sees each line as it comes; `timeoutMs` ends it.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, onLine?: (line: string) => void, timeoutMs?: number }} [options]
 * @returns {Promise<string>}
 * @throws {CommandError} on a non-zero exit, a signal, a timeout, or when the program cannot be started.
 */
export async function run(command, args, { cwd = root, env = {}, onLine, timeoutMs } = {}) {
  const child = start(command, args, { cwd, env })
  /** @type {string[]} */
  const lines = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      onLine?.(line)
    })
  }
  const timer =
    timeoutMs === undefined ? undefined : setTimeout(() => stop(child, 'SIGKILL'), timeoutMs)
  /** @type {string | number} */
  const end = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'lost'))
  })
  clearTimeout(timer)
  const output = lines.join('\n')
  if (end !== 0) throw new CommandError([command, ...args].join(' '), end, output)
  return output
}

/**
 * Runs a short probe and returns its stdout, or undefined if it is missing or fails.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
export function probe(command, args, env = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: windows && command === 'npm',
  })
  return result.status === 0 ? result.stdout.trim() : undefined
}
