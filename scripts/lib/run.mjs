/** Child processes: run to the end with the output kept, or hold one that must not outlive us. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
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
   * @param {string | number} code of its exit, the signal that ended it, or why it did not start
   * @param {string} output
   */
  constructor(command, code, output) {
    super(`${command} failed (${code})`)
    this.name = 'CommandError'
    this.code = code
    this.output = output
  }
}

/**
 * Takes the processor's seconds of the children that are started within it.
 *
 * @type {AsyncLocalStorage<{ cpu: number }>}
 */
export const account = new AsyncLocalStorage()
let counted = 0

/**
 * Processor's seconds of children that have ended since the last call, and of theirs; 0 where there
 * is no /proc.
 */
function secondsOfEnded() {
  try {
    // Fields 16 and 17 of proc(5), in ticks of 10 ms; the second field is the program's name in
    // brackets.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const before = counted
    counted = (Number(fields[13]) + Number(fields[14])) / 100
    return counted - before
  } catch {
    return 0
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
  const payer = account.getStore()
  child.once('exit', () => {
    const seconds = secondsOfEnded()
    if (payer !== undefined) payer.cpu += seconds
  })
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
  if (child.exitCode === null && child.signalCode === null) signalAll(child, signal)
}

/**
 * Sends a signal to a child's group, also where the child itself has ended.
 *
 * @param {Child} child
 * @param {NodeJS.Signals} signal
 */
function signalAll(child, signal) {
  if (child.pid === undefined) return
  try {
    if (windows) child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

const GRACE_MS = 3000

/** The code of a command that was ended because its time was over. */
export const OUT_OF_TIME = 'out of time'

/**
 * Ends a child when its time is over: what it started in groups of its own, it alone can end. Kills
 * what is left of its group then, which may hold its output open.
 *
 * @param {Child} child
 * @param {number} timeoutMs
 */
function within(child, timeoutMs) {
  const limit = {
    isOver: false,
    timer: setTimeout(() => {
      limit.isOver = true
      stop(child)
      limit.timer = setTimeout(() => signalAll(child, 'SIGKILL'), GRACE_MS)
    }, timeoutMs),
  }
  return limit
}

/**
 * Ends every child and waits until they are gone; those that take too long are killed when this
 * process ends.
 */
export async function stopAll() {
  const gone = [...running].map((child) => new Promise((resolve) => child.once('close', resolve)))
  for (const child of running) stop(child)
  await Promise.race([Promise.all(gone), sleep(GRACE_MS, undefined, { ref: false })])
}

process.once('exit', () => {
  for (const child of running) stop(child, 'SIGKILL')
})

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }
let ending = false

/**
 * Ends this process after its children. Once: npm adds a second signal to a terminal's own.
 *
 * @param {number} code
 */
function end(code) {
  if (ending) return
  ending = true
  stopAll().finally(() => process.exit(code))
}

for (const [signal, code] of Object.entries(SIGNALS)) process.on(signal, () => end(code))

// npm passes a signal to its shell, which dies of it and tells nobody.
if (process.env['npm_lifecycle_event'] !== undefined) {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) end(SIGNALS.SIGTERM)
  }, 500).unref()
}

/**
 * Runs a command to its end and returns what it printed (stdout and stderr in order of arrival).
 * `onLine` sees each line as it comes; `timeoutMs` ends it.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, onLine?: (line: string) => void, timeoutMs?:
 *   number }} [options]
 * @returns {Promise<string>}
 * @throws {CommandError} on a non-zero exit, a signal, a timeout, or when the program cannot be
 *   started.
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
  const limit = timeoutMs === undefined ? undefined : within(child, timeoutMs)
  /** @type {string | number} */
  const end = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'lost'))
  })
  clearTimeout(limit?.timer)
  const output = lines.join('\n')
  const reason = limit?.isOver ? OUT_OF_TIME : end
  if (reason !== 0) throw new CommandError([command, ...args].join(' '), reason, output)
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
