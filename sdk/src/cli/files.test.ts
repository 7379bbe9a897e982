/** `lightproof verify`: how old a value is, and what is too old. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { honest, makeChain, OWNER } from '../../test/support/chain.js'
import { type CliRun, cli } from '../../test/support/cli.js'
import { clientOf } from '../../test/support/client.js'
import { fetchProof, type ProofFile } from '../entry/node.js'

const chain = makeChain(40)
/** Seconds since 1970 of a block: one every 12 s. */
const timeOf = (block: number): number => 1_700_000_000 + 12 * block

let folder: string
let place: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lightproof-files-'))
  place = path.join(folder, 'proof.json')
  // The file is of block 4, and links it to block 39, which the reader trusts.
  const { client } = clientOf(chain, [honest(chain)])
  const file = await fetchProof(client, { address: OWNER, at: 4n })
  await write(file)
})
afterAll(async () => {
  vi.useRealTimers()
  await rm(folder, { recursive: true, force: true })
})

const write = (file: ProofFile): Promise<void> => writeFile(place, JSON.stringify(file))

/** Verifies the file by a clock that is so many seconds later than its block. */
async function verifyAfter(seconds: number, ...more: readonly string[]): Promise<CliRun> {
  vi.useFakeTimers({ now: (timeOf(4) + seconds) * 1000, toFake: ['Date'] })
  return cli('verify', place, '--block', chain.head.hash, ...more)
}

describe('the age of a value', () => {
  test.each([
    [420, '7 min old', 0],
    [119, '119 s old', 0],
    [2 * 3600, '2 h old', 0],
    [9 * 86_400, '9 days old', 0],
  ])('behavior: %i s: the block is %s, by its own time', async (seconds, words) => {
    const { exit, out } = await verifyAfter(seconds)
    expect(exit).toBe(0)
    expect(out).toContain(`block        4 ${chain.at(4).hash}, ${words}\n`)
  })

  test('behavior: the age of what is trusted is another: 35 blocks later', async () => {
    const { out } = await verifyAfter(540)
    expect(out).toContain(', 9 min old\n')
    expect(out).toContain(`anchor       block ${chain.head.hash}, of 2 min ago\n`)
  })
})

describe('--max-age', () => {
  test.each([
    ['30m', 1800],
    ['24h', 86_400],
    ['7d', 604_800],
  ])('%s: a block of that age holds, one a second older is refused', async (option, seconds) => {
    expect(await verifyAfter(seconds, '--max-age', option)).toMatchObject({ exit: 0, err: '' })
    const late = await verifyAfter(seconds + 1, '--max-age', option)
    expect(late).toMatchObject({ exit: 3, out: '' })
    expect(late.err).toContain(`block 4 of the file is ${seconds + 1} s old`)
    expect(late.err).toContain('(verify.expired)')
    const { exit, out } = await verifyAfter(seconds + 1, '--max-age', option, '--json')
    const json = { status: 'invalid', error: { code: 'verify.expired' } }
    expect([exit, JSON.parse(out)]).toEqual([3, expect.objectContaining({ status: 'invalid' })])
    expect(JSON.parse(out)).toMatchObject(json)
  })

  test('behavior: the clock is that of --now, where one is given', async () => {
    const now = new Date((timeOf(4) + 60) * 1000).toISOString()
    const asOf = ['--now', now, '--max-age', '2m']
    expect(await verifyAfter(9_999_999, ...asOf)).toMatchObject({ exit: 0 })
    const later = new Date((timeOf(4) + 121) * 1000).toISOString()
    const late = await verifyAfter(0, '--now', later, '--max-age', '2m')
    expect(late).toMatchObject({ exit: 3, err: expect.stringContaining('verify.expired') })
  })

  test.each(['soon', '0m', '-1h', '5', '1.5h', ''])('exit 2: %j is no time', async (option) => {
    const { exit, err } = await verifyAfter(0, `--max-age=${option}`)
    expect([exit, err]).toEqual([2, expect.stringContaining('--max-age: expected a time')])
  })

  test('exit 2: a bare root has no time', async () => {
    const root = ['--root', chain.at(4).stateRoot, '--max-age', '1h']
    const { exit, err } = await cli('verify', place, ...root)
    expect([exit, err]).toEqual([2, expect.stringContaining('--max-age')])
  })
})
