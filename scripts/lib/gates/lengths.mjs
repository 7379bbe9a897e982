/** Source files that grow long: a report, not a gate. */
import { readFileSync } from 'node:fs'
import { at } from '../repo.mjs'
import { run } from '../run.mjs'

const LIMIT = 300
const SOURCE = /\.(rs|ts|mjs)$/

/**
 * Tracked sources of more than 300 lines, the longest first.
 *
 * @returns {Promise<{ file: string, lines: number }[]>}
 */
export async function longFiles() {
  const tracked = (await run('git', ['ls-files', '-z']))
    .split('\0')
    .filter((file) => SOURCE.test(file))
  return tracked
    .map((file) => ({ file, lines: readFileSync(at(file), 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > LIMIT)
    .sort((a, b) => b.lines - a.lines)
}
