import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { seedCorpus } from '../lib/seeds.mjs'

const dir = mkdtempSync(path.join(tmpdir(), 'lightproof-seeds-'))
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** @param {string} target */
function corpus(target) {
  const count = seedCorpus(target, dir)
  const files = readdirSync(dir).map((name) => readFileSync(path.join(dir, name)))
  expect(files).toHaveLength(count)
  return files
}

test('seeds of chain_config hold the chain and the format', () => {
  const files = corpus('chain_config')
  const devnet = Buffer.from('devnet')
  expect(files.some((file) => file.includes(devnet))).toBe(true)
  expect(files).toContainEqual(
    Buffer.concat([Buffer.of(0xc7, 0x85), Buffer.from('mpt/1'), Buffer.of(0x80)]),
  )
})

test('seeds of claims are lists that hold the variant', () => {
  const files = corpus('claims')
  expect(files.length).toBeGreaterThan(100)
  for (const file of files) expect(file[0]).toBeGreaterThanOrEqual(0xc0)
  expect(files.some((file) => file.includes(Buffer.from('\u0085plain', 'latin1')))).toBe(true)
})

test('seeds of light_steps are the accepted steps of signed headers, numbered', () => {
  const files = corpus('light_steps')
  expect(files.length).toBeGreaterThan(400)
  for (const file of files) expect(file[2]).toBe(0xff)
})

test('every other target gets proofs', () => {
  expect(corpus('trie_walk').length).toBeGreaterThan(100)
})
