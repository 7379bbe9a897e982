import { expect, test } from 'vitest'
import { linesOf } from '../lib/fuzzRuns.mjs'

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
