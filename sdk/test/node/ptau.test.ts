/**
 * lvmt on a ceremony's file that snarkjs made: the node loads and checks it, and its proofs hold
 * under the digest that it names.
 */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lvmt } from '../../src/entry/lvmt.js'
import { defineChain, getStorage, getValue, proven } from '../../src/entry/node.js'
import { chainOf, clientOf, placesOf } from '../support/liveChain.js'
import { startNode } from '../support/liveNode.js'

const BLOCKS = 12
const POWER = 5

const directory = mkdtempSync(path.join(tmpdir(), 'lightproof-ptau-'))
const file = path.join(directory, 'end.ptau')

beforeAll(() => {
  const require = createRequire(import.meta.url)
  const cli = path.join(path.dirname(require.resolve('snarkjs')), 'cli.cjs')
  const ceremony = (...args: string[]): void => {
    execFileSync(process.execPath, [cli, 'powersoftau', ...args], { stdio: 'ignore' })
  }
  const start = path.join(directory, 'start.ptau')
  ceremony('new', 'bn128', String(POWER), start)
  ceremony('contribute', start, file, '--name=test', '-e=entropy of a test')
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const withFile = (ptau: string, k: number): ReturnType<typeof startNode> =>
  startNode(BLOCKS, ['--systems', 'lvmt,mpt', '--lvmt-k', String(k), '--lvmt-ptau', ptau])

test('default: values under the parameters of a ceremony', async () => {
  const node = await withFile(file, POWER - 1)
  try {
    const own = node.systems.lvmt
    expect(own).toEqual({ format: 'lvmt/1', paramsDigest: expect.stringMatching(/^0x/) })
    const chain = chainOf(node)
    const { paramsDigest } = own
    const systems = { ...chain.systems, lvmt: { format: 'lvmt/1', paramsDigest } } as const
    const client = clientOf(node, defineChain({ ...chain, systems }))
    let present = 0
    for (const key of placesOf(node)) {
      for (const variant of ['hybrid', 'pairs'] as const) {
        const system = { ...lvmt, variants: [variant] } as const
        const result = await getValue(client, { system, key })
        const value = proven(result)
        const byMpt = proven(await getStorage(client, key))
        expect(value === undefined || value === '0x' ? 0n : BigInt(value)).toBe(byMpt)
        if (result.status === 'present') present++
      }
    }
    expect(present).toBeGreaterThan(0)
    // Of the devnet's own setup, whose secret everybody knows, they are proofs of nothing.
    const [key] = placesOf(node)
    if (key === undefined) throw new Error('no slot')
    const other = await getValue(clientOf(node), { system: lvmt, key })
    expect(other).toMatchObject({ status: expect.stringMatching(/^(invalid|unavailable)$/) })
  } finally {
    await node.stop()
  }
})

test('error: a file of too low a power, or one that was changed, is refused', async () => {
  await expect(withFile(file, POWER)).rejects.toThrow('before it was ready')
  const changed = readFileSync(file)
  // Within the powers in G1, which come right after the header.
  const place = 400
  changed[place] = (changed[place] ?? 0) ^ 1
  const bad = path.join(directory, 'bad.ptau')
  writeFileSync(bad, changed)
  await expect(withFile(bad, POWER - 1)).rejects.toThrow('before it was ready')
})
