/** Data that is made on demand, by an example of the generator. */

import { run } from '../../scripts/lib/run.mjs'

/**
 * What the example prints.
 *
 * @param {'periods' | 'state'} example
 * @param {string} profile cargo's
 * @param {readonly string[]} options
 */
export async function generate(example, profile, options) {
  const crate = ['run', '--locked', '--quiet', '-p', 'lightproof-generator']
  const args = [...crate, '--profile', profile, '--example', example, '--', ...options]
  const output = await run('cargo', args)
  const line = output.split('\n').find((text) => text.startsWith('[{'))
  if (line === undefined) throw new Error(`the generator's ${example} printed no data:\n${output}`)
  return JSON.parse(line)
}
