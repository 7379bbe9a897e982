/** Data that is made on demand, by an example of the generator. */

import { cargoExample } from '../../scripts/lib/cargo.mjs'

/**
 * What the example prints.
 *
 * @param {'periods' | 'state'} example
 * @param {string} profile cargo's
 * @param {readonly string[]} options
 */
export async function generate(example, profile, options) {
  const output = await cargoExample('lightproof-generator', example, profile, options)
  const line = output.split('\n').find((text) => text.startsWith('[{'))
  if (line === undefined) throw new Error(`the generator's ${example} printed no data:\n${output}`)
  return JSON.parse(line)
}
