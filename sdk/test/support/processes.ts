/** Processes of this machine, told apart by a text in their command line, such as a path. */

import { execFileSync } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'

/** Those that run now. */
export function processesOf(text: string): string[] {
  const listed = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' })
  return listed.split('\n').filter((line) => line.includes(text) && !line.includes('ps -A'))
}

/** Those that are left once they had time to end, which are killed then. */
export async function leftOf(text: string): Promise<string[]> {
  for (let round = 0; round < 150 && processesOf(text).length > 0; round += 1) await setTimeout(100)
  const left = processesOf(text)
  for (const line of left) process.kill(Number.parseInt(line, 10), 'SIGKILL')
  return left
}
