/** Progress: one line per step with its elapsed time; live on a terminal, plain lines in a log. */
import { CommandError } from './run.mjs'

const live = process.stdout.isTTY === true
const TICK_MS = live ? 200 : 30_000

/**
 * `12.3 s`, `2 min 05 s`.
 *
 * @param {number} ms
 */
export function duration(ms) {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`
}

/** @param {string} text */
function show(text) {
  const width = process.stdout.columns ?? 80
  process.stdout.write(`\r\u001b[2K${text.slice(0, width - 1)}`)
}

/**
 * Runs `work(onLine)` as a named step. `onLine` takes the last line of a child's output, shown live; `passed` says
 * whether a result counts as success.
 *
 * @template T
 * @param {string} title
 * @param {(onLine: (line: string) => void) => T | Promise<T>} work
 * @param {(result: T) => boolean} [passed]
 * @returns {Promise<T>}
 * @throws whatever `work` throws, after marking the step as failed.
 */
export async function step(title, work, passed = () => true) {
  const began = Date.now()
  let last = ''
  const tick = () => {
    const elapsed = duration(Date.now() - began)
    if (live) show(`  … ${title} (${elapsed}) ${last}`)
    else console.log(`  … ${title}: ${elapsed}`)
  }
  if (live) tick()
  else console.log(`  … ${title}`)
  const timer = setInterval(tick, TICK_MS)
  const end = (/** @type {string} */ mark) => {
    clearInterval(timer)
    if (live) show('')
    console.log(`  ${mark} ${title} (${duration(Date.now() - began)})`)
  }
  try {
    const result = await work((line) => {
      last = line.trim()
    })
    end(passed(result) ? '✓' : '✗')
    return result
  } catch (error) {
    end('✗')
    throw error
  }
}

/**
 * Prints an error for people: a failed command's output, its middle left out when it is long, then the message.
 *
 * @param {unknown} error
 */
export function printFailure(error, lines = 120) {
  const output = error instanceof CommandError ? error.output.split('\n') : []
  if (output.length > lines) output.splice(lines / 4, output.length - lines, '  […]')
  if (output.length > 0) console.error(output.join('\n'))
  console.error(`\n${error instanceof Error ? error.message : error}`)
}
