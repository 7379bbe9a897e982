import { afterEach, beforeEach, expect, test } from 'vitest'
import { flags, named } from '../lib/program.mjs'

const argv = process.argv
/** @type {{ only: { type: 'string' }, all: { type: 'boolean' } }} */
const OPTIONS = { only: { type: 'string' }, all: { type: 'boolean' } }

/** @param {string[]} args */
const given = (...args) => {
  process.argv = ['node', 'program', ...args]
  return flags('program [--only a,…] [--all]', OPTIONS)
}

beforeEach(() => {
  process.argv = [...argv]
})
afterEach(() => {
  process.argv = argv
})

test('flags that are known', () => {
  expect(given()).toEqual({})
  expect(given('--all', '--only', 'a,b')).toEqual({ all: true, only: 'a,b' })
})

test.each([
  [['--other']],
  [['--help']],
  [['word']],
  [['--only']],
  [['--all', '--all']],
  [['--only', 'a', '--only', 'b']],
  [['--all=yes']],
])('error: %j ends with the usage', (args) => {
  expect(() => given(...args)).toThrow('usage: program [--only a,…] [--all]')
})

test('names of a list', () => {
  expect(named(undefined, ['a', 'b'], 'u')).toEqual(['a', 'b'])
  expect(named('b', ['a', 'b'], 'u')).toEqual(['b'])
  for (const list of ['', 'c', 'a,c', 'a,']) {
    expect(() => named(list, ['a', 'b'], 'u')).toThrow('usage: u')
  }
})
