/** What the commands share: their flags, and how they end. No dependencies. */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { printFailure } from './steps.mjs'

/**
 * The flags that a command was given.
 *
 * @template {Record<string, { type: 'string' | 'boolean' }>} O
 * @param {string} usage
 * @param {O} options
 * @throws {Error} with the usage, of anything else
 */
export function flags(usage, options) {
  try {
    const { values, tokens } = parseArgs({ options, tokens: true })
    const names = tokens.map((token) => (token.kind === 'option' ? token.name : ''))
    if (new Set(names).size === names.length) return values
  } catch {
    // The usage says it.
  }
  throw new Error(`usage: ${usage}`)
}

/**
 * The names of a list with commas; all if there is no list.
 *
 * @param {string | boolean | undefined} list
 * @param {readonly string[]} known
 * @param {string} usage
 * @throws {Error} with the usage, if one is not known
 */
export function named(list, known, usage) {
  if (list === undefined) return [...known]
  const names = String(list).split(',')
  if (names.every((name) => known.includes(name))) return names
  throw new Error(`usage: ${usage}`)
}

/**
 * Runs a command, unless its file is only imported.
 *
 * @param {string} url of its file
 * @param {() => Promise<void>} main
 */
export async function asProgram(url, main) {
  if (process.argv[1] !== fileURLToPath(url)) return
  try {
    await main()
  } catch (error) {
    printFailure(error)
    process.exitCode = 1
  }
}
