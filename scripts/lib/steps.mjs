/** Progress: one line per step with its elapsed time; live on a terminal, plain lines in a log. */
import { account, CommandError } from './run.mjs'

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

/**
 * Steps under way, with the last line that each one's child printed.
 *
 * @type {Map<string, { began: number, last: string }>}
 */
const active = new Map()
/** @type {NodeJS.Timeout | undefined} */
let ticker
/**
 * Steps that ended: mark and title, milliseconds, and the processor's seconds of their children.
 *
 * @type {[string, number, number][]}
 */
export const ended = []

/** Clears the live line. */
function wipe() {
  if (live) process.stdout.write('\r\u001b[2K')
}

function tick() {
  const now = Date.now()
  const steps = [...active].map(([title, { began, last }]) => ({
    text: `${title} (${duration(now - began)})`,
    last,
  }))
  if (steps.length === 0) return
  const text = steps.map((each) => each.text).join(', ')
  if (!live) {
    console.log(`  … ${text}`)
    return
  }
  wipe()
  const width = process.stdout.columns ?? 80
  process.stdout.write(`  … ${text} ${steps.at(-1)?.last}`.slice(0, width - 1))
}

/**
 * Prints a line above the live one.
 *
 * @param {string} line
 */
function print(line) {
  wipe()
  console.log(line)
}

/**
 * Runs `work(onLine)` as a named step; several may run at once. `onLine` takes the last line of a
 * child's output, shown live; `passed` says whether a result counts as success.
 *
 * @template T
 * @param {string} title
 * @param {(onLine: (line: string) => void) => T | Promise<T>} work
 * @param {(result: T) => boolean} [passed]
 * @returns {Promise<T>}
 * @throws whatever `work` throws, after marking the step as failed.
 */
export async function step(title, work, passed = () => true) {
  const state = { began: Date.now(), last: '', cpu: 0 }
  active.set(title, state)
  ticker ??= setInterval(tick, TICK_MS)
  if (live) tick()
  else console.log(`  … ${title}`)
  const end = (/** @type {string} */ mark) => {
    active.delete(title)
    if (active.size === 0) {
      clearInterval(ticker)
      ticker = undefined
    }
    const ms = Date.now() - state.began
    ended.push([`${mark} ${title}`, ms, state.cpu])
    print(`  ${mark} ${title} (${duration(ms)})`)
  }
  try {
    const result = await account.run(state, async () =>
      work((line) => {
        state.last = line.trim()
      }),
    )
    end(passed(result) ? '✓' : '✗')
    return result
  } catch (error) {
    end('✗')
    throw error
  }
}

/**
 * Prints an error for people: a failed command's output, its middle left out when it is long, then
 * the message.
 *
 * @param {unknown} error
 */
export function printFailure(error, lines = 120) {
  wipe()
  const output = error instanceof CommandError ? error.output.split('\n') : []
  if (output.length > lines) output.splice(lines / 4, output.length - lines, '  […]')
  if (output.length > 0) console.error(output.join('\n'))
  console.error(`\n${error instanceof Error ? error.message : error}`)
}
