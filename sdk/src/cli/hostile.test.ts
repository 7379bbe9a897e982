/** The command line with files that strangers wrote for its terminal. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { honest, makeChain, OWNER } from '../../test/support/chain.js'
import { clientOf } from '../../test/support/client.js'
import { fetchProof, type ProofFile } from '../entry/node.js'
import { jsonText } from './io.js'
import { runCli } from './main.js'

const chain = makeChain(4)
const GREEN = '\u001b[2J\u001b[H\u001b[32mPROVEN\u009b0m\u2028\u202e'
const LONG = 'x'.repeat(100_000)

let file: ProofFile
let folder: string

beforeAll(async () => {
  file = await fetchProof(clientOf(chain, [honest(chain)]).client, { address: OWNER })
  folder = await mkdtemp(path.join(tmpdir(), 'lightproof-hostile-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function verify(hostile: object, ...more: readonly string[]) {
  const place = path.join(folder, 'proof.json')
  await writeFile(place, JSON.stringify(hostile))
  let text = ''
  const write = (part: string): void => {
    text += part
  }
  const { signal } = new AbortController()
  const argv = ['verify', place, '--block', chain.head.hash, ...more]
  const exit = await runCli(argv, { out: write, err: write, isLive: false, signal })
  return { exit, text }
}

test.each<[string, (file: ProofFile) => object]>([
  [
    'a key of the committees',
    (file) => ({ ...file, chain: { ...file.chain, consensus: { [GREEN + LONG]: 1 } } }),
  ],
  ['the chain', (file) => ({ ...file, chain: { ...file.chain, genesisHash: GREEN + LONG } })],
  ['a key of the configuration', (file) => ({ ...file, config: { ...file.config, [GREEN]: 1 } })],
  ['the format', (file) => ({ ...file, config: { ...file.config, format: GREEN + LONG } })],
  ['the variant', (file) => ({ ...file, variant: GREEN + LONG })],
  ['the system', (file) => ({ ...file, system: GREEN })],
  ['the source', (file) => ({ ...file, source: { header: { hash: GREEN, rlps: [GREEN] } } })],
])('error: %s is shown as characters, and cut', async (_name, make) => {
  for (const flags of [[], ['--json']]) {
    const { exit, text } = await verify(make(file), ...flags)
    expect(exit).toBe(3)
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
    expect(text.length).toBeLessThan(3000)
  }
})

test('behavior: the notes of a file that holds are not shown', async () => {
  const { exit, text } = await verify({ ...file, meta: { servedBy: GREEN, note: GREEN } })
  expect(exit).toBe(0)
  expect(text).not.toContain('PROVEN')
})

test('default: JSON for a terminal reads back as it was', () => {
  const value = { [GREEN]: [GREEN, 'a\nb', '😀\u{e0041}\ud800', 7, null] }
  const text = jsonText(value)
  expect(JSON.parse(text)).toEqual(value)
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
})
