import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { keepInputs, linesOf } from '../lib/fuzzRuns.mjs'

test('default: a line for each input, the shortest first', () => {
  const inputs = [Buffer.from('fuzz'), Buffer.of(), Buffer.of(2), Buffer.of(1)]
  expect(linesOf(inputs)).toEqual(['', '01', '02', '66757a7a'])
})

test('edge: 32 KiB of the shortest', () => {
  const inputs = Array.from({ length: 40 }, (_, i) => Buffer.alloc(1024 + i))
  const lines = linesOf(inputs)
  expect(lines).toHaveLength(31)
  expect(lines[0]).toHaveLength(2048)
})

test('behavior: what a later run finds stands beside what was found before', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lightproof-kept-'))
  try {
    keepInputs('target', [Buffer.of(1, 2)], folder)
    keepInputs('target', [Buffer.of(3)], folder)
    keepInputs('target', [], folder)
    expect(readFileSync(path.join(folder, 'target.hex'), 'utf8')).toBe('03\n0102\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
