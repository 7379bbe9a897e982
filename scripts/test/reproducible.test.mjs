import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { differences } from '../reproducible.mjs'

const dir = mkdtempSync(path.join(tmpdir(), 'lightproof-reproducible-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/**
 * @param {string} name
 * @param {Record<string, number[]>} modules
 */
function folder(name, modules) {
  const made = path.join(dir, name)
  mkdirSync(made)
  for (const [module, bytes] of Object.entries(modules)) {
    writeFileSync(path.join(made, `${module}_bg.wasm`), Uint8Array.from(bytes))
  }
  return made
}

test('error: a module that differs in one bit is named, and no other', () => {
  const here = folder('here', { mpt: [0, 97, 115, 109, 1], hash: [1, 2] })
  const there = folder('there', { mpt: [0, 97, 115, 109, 1], hash: [1, 3] })
  expect(differences(['mpt', 'hash'], here, here)).toEqual([])
  const [line, ...more] = differences(['mpt', 'hash'], here, there)
  expect(line).toMatch(/^hash_bg.wasm: [0-9a-f]{64} here, [0-9a-f]{64} elsewhere$/)
  expect(more).toEqual([])
})

test('error: a module that was not built', () => {
  const here = folder('whole', { mpt: [1] })
  expect(() => differences(['mpt'], here, folder('empty', {}))).toThrow('mpt_bg.wasm')
})
