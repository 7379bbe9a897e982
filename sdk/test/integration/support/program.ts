/** Programs that live tests start, and end by their pid. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A running program that has said that it is ready. */
export interface Program {
  /** The groups of the pattern that its ready line matched. */
  readonly ready: RegExpExecArray
  stop(): Promise<void>
}

const TAIL_LINES = 20

/**
 * Starts a program and waits for the line, on stdout or stderr, that says it is ready.
 *
 * @throws if the program cannot be started, or ends before it is ready: with its last lines.
 */
export async function startProgram(
  command: string,
  args: readonly string[],
  ready: RegExp,
): Promise<Program> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  // A test run that is interrupted must not leave the program behind.
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  const stop = async (): Promise<void> => {
    process.removeListener('exit', kill)
    if (child.exitCode !== null || child.signalCode !== null) return
    kill()
    await once(child, 'exit')
  }
  try {
    return { ready: await readyLine(child, command, ready), stop }
  } catch (error) {
    if (child.pid !== undefined) await stop()
    throw error
  }
}

function readyLine(child: ChildProcess, command: string, ready: RegExp): Promise<RegExpExecArray> {
  const tail: string[] = []
  return new Promise((resolve, reject) => {
    const onLine = (line: string): void => {
      const match = ready.exec(line)
      if (match !== null) resolve(match)
      tail.push(line)
      if (tail.length > TAIL_LINES) tail.shift()
    }
    for (const input of [child.stdout, child.stderr]) {
      if (input !== null) createInterface({ input }).on('line', onLine)
    }
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      reject(
        new Error(`${command} ended (${code ?? signal}) before it was ready:\n${tail.join('\n')}`),
      )
    })
  })
}

/** Runs a program to its end. */
export async function runProgram(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  const [code]: unknown[] = await once(child, 'close')
  if (code !== 0)
    throw new Error(`${command} ${args[0] ?? ''} failed (${String(code)}):\n${errors}`)
}
