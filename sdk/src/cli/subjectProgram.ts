/** A program under attack. */

import { spawn } from 'node:child_process'
import { UsageError } from './io.js'
import type { Answer, Subject } from './subject.js'

const MAX_OUTPUT = 2 ** 20
const KILL_AFTER_MS = 2000

/**
 * The program is run once per question, with the node's URL for `{url}` and in `LIGHTPROOF_URL`.
 */
export function programSubject(
  [command = '', ...args]: readonly string[],
  limitMs: number,
): Subject {
  return (url, signal) =>
    new Promise<Answer>((resolve, reject) => {
      const words = args.map((word) => word.replaceAll('{url}', url))
      const env = { ...process.env, LIGHTPROOF_URL: url, LIGHTPROOF_LIMIT_MS: String(limitMs) }
      const child = spawn(command, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
      let output = ''
      let errors = ''
      child.stdout.on('data', (chunk: Buffer) => {
        if (output.length < MAX_OUTPUT) output += chunk.toString()
      })
      child.stderr.on('data', (chunk: Buffer) => {
        if (errors.length < MAX_OUTPUT) errors += chunk.toString()
      })
      signal.addEventListener('abort', () => {
        child.kill()
        setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS).unref()
      })
      child.once('error', (cause) => {
        reject(new UsageError(`attack: cannot run ${command}: ${cause.message}`, { cause }))
      })
      child.once('close', (code, by) => {
        if (code === 0) resolve({ ended: 'answered', output })
        else {
          const why = [`exit ${code ?? by}`, lastLine(errors || output)].filter(
            (part) => part !== '',
          )
          resolve({ ended: 'refused', why: why.join(': ') })
        }
      })
    })
}

function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? ''
}
