/**
 * Nodes on files of ceremonies that the node's own commands made: proofs hold under the digest that
 * everybody who verifies such a file reads.
 */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { balanceproofs } from '../../src/entry/balanceproofs.js'
import { type Chain, defineChain, getStorage, getValues, proven } from '../../src/entry/node.js'
import { verkle } from '../../src/entry/verkle.js'
import { chainOf, clientOf, placesOf } from '../support/liveChain.js'
import { BINARY, type LiveNode, startNode } from '../support/liveNode.js'

const BLOCKS = 6

const directory = mkdtempSync(path.join(tmpdir(), 'lightproof-ceremony-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Two people contribute; the file, and the digest that it is verified to have. */
function ceremony(name: string, start: readonly string[]): { file: string; digest: string } {
  const setup = (...args: readonly string[]): string =>
    execFileSync(BINARY, ['setup', ...args], { cwd: directory, encoding: 'utf8' })
  setup('start', ...start, '--out', `${name}-1`)
  setup('contribute', '--from', `${name}-1`, '--out', name)
  const [, count, digest = ''] =
    /contributions (\d+)\nparamsDigest (0x\w+)/.exec(setup('verify', name)) ?? []
  expect(count).toBe('2')
  return { file: path.join(directory, name), digest }
}

/** The node's chain with one system as it is set up there. */
function pinned(node: LiveNode, name: 'balanceproofs' | 'verkle'): Chain {
  const chain = chainOf(node)
  const { format, paramsDigest } = node.systems[name]
  return defineChain({ ...chain, systems: { ...chain.systems, [name]: { format, paramsDigest } } })
}

test('default: balances in two layers', async () => {
  const { file, digest } = ceremony('grid', ['balanceproofs', '--sides', '4,4,4'])
  const node = await startNode(BLOCKS, [
    '--systems',
    'balanceproofs,mpt',
    '--balanceproofs-setup',
    file,
  ])
  try {
    expect(node.systems.balanceproofs).toEqual({
      format: 'balanceproofs/two-layer',
      paramsDigest: digest,
    })
    const client = clientOf(node, pinned(node, 'balanceproofs'))
    for (const variant of ['T1', 'T3', 'plain']) {
      const system = { ...balanceproofs, variants: [variant] } as const
      const result = await getValues(client, { system, keys: [0, 1, 63] })
      expect(result).toMatchObject({ status: 'proven', trust: { variant } })
      expect(proven(result)[0]?.value).toBeGreaterThan(0n)
    }
    // Under the devnet's own setup these are proofs of nothing.
    const other = await getValues(clientOf(node), { system: balanceproofs, keys: [0] })
    expect(other.status).toMatch(/^(invalid|unavailable)$/)
  } finally {
    await node.stop()
  }
})

test('default: a tree of Catalano and Fiore', async () => {
  const { file, digest } = ceremony('tree', ['verkle', '--k', '32'])
  const node = await startNode(BLOCKS, ['--systems', 'mpt,verkle', '--verkle-setup', file])
  try {
    expect(node.systems.verkle).toEqual({ format: 'verkle/cf-32', paramsDigest: digest })
    const client = clientOf(node, pinned(node, 'verkle'))
    const keys = placesOf(node)
    const values = proven(await getValues(client, { system: verkle, keys }))
    for (const [at, key] of keys.entries()) {
      expect(BigInt(values[at]?.value ?? 0n)).toBe(proven(await getStorage(client, key)))
    }
    const other = await getValues(clientOf(node), { system: verkle, keys: keys.slice(0, 1) })
    expect(other.status).toMatch(/^(invalid|unavailable)$/)
  } finally {
    await node.stop()
  }
})
