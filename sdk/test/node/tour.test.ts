/** The tour of the devnet (`npm start -- --once`), as somebody types it. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { valueSystems } from '../../src/systems/registry.js'
import { BINARY } from '../support/liveNode.js'

const START = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url))

async function start(...args: readonly string[]) {
  const tour = spawn(process.execPath, [START, ...args], {
    env: { ...process.env, LIGHTPROOF_NODE: BINARY, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = Promise.all([text(tour.stdout), text(tour.stderr)])
  const [code]: unknown[] = await once(tour, 'close')
  const printed = (await said).join('')
  return { code, printed, lines: printed.split('\n') }
}

test('default: a fact of each system, with its bytes and time, and a lie about each refused', async () => {
  const { code, printed, lines } = await start('--once')
  expect([code, printed]).toEqual([0, expect.stringContaining('You trust')])
  const by = (system: string): string[] => lines.filter((line) => line.startsWith(`  ${system} `))
  const fact = /^ {2}\w+ .* \d+ +[1-9]\d* +\d+\.\d\d ms +\d+ of 32 keys/
  const refusal = /^ {2}\w+ +REFUSED \(verify\.\w+\): .* [1-9]\d* +\d+\.\d\d ms +nobody/
  for (const system of ['mpt', ...valueSystems.map(({ name }) => name)]) {
    const refused = by(system).filter((line) => line.includes('REFUSED'))
    expect(refused, system).toEqual([expect.stringMatching(refusal)])
    const facts = by(system).filter((line) => !line.includes('REFUSED'))
    expect(facts, system).not.toHaveLength(0)
    for (const line of facts) expect(line).toMatch(fact)
  }
  expect(by('mpt')).toContainEqual(expect.stringMatching(/ is absent /))
  expect(by('cole')).toContainEqual(expect.stringMatching(/has \d+ versions in blocks 0 to \d+/))
  expect(by('balanceproofs')).toContainEqual(expect.stringMatching(/ by one aggregate /))
  expect(by('headers')).toEqual([expect.stringMatching(refusal)])
})

test('error: a flag that there is not, before anything is built or started', async () => {
  const { code, printed } = await start('--twice')
  expect(code).toBe(1)
  expect(printed).toContain('usage: npm start [-- [--follow] [--once]]')
  expect(printed).not.toContain('Tour')
})
