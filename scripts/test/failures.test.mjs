import { expect, test } from 'vitest'
import { cargoFailures, vitestFailures } from '../lib/failures.mjs'

const CARGO = `
running 3 tests
test a::works ... ok
test a::breaks ... FAILED
test b::breaks ... FAILED

failures:

---- a::breaks stdout ----

thread 'a::breaks' (7) panicked at node/tests/node/a.rs:4:9:
assertion failed: no
note: run with RUST_BACKTRACE=1

---- b::breaks stdout ----
said before
thread 'b::breaks' (8) panicked at node/tests/node/b.rs:5:9:
${'long '.repeat(200)}

failures:
    a::breaks
    b::breaks

test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
`

test('cargo: every failed test, with its panic', () => {
  const [first, second, ...more] = cargoFailures(CARGO)
  expect(first).toBe(
    `a::breaks
    thread 'a::breaks' (7) panicked at node/tests/node/a.rs:4:9:
    assertion failed: no
    note: run with RUST_BACKTRACE=1`,
  )
  expect(second).toContain('b.rs:5:9')
  expect(second?.length).toBeLessThan(500)
  expect(more).toEqual([])
})

test('cargo: the last failure of an output that is cut off', () => {
  expect(cargoFailures('---- a stdout ----\nthe end')).toEqual(['a\n    the end'])
})

test('cargo: a program that does not compile, or that a signal ended', () => {
  const output = 'error: could not compile `x`\nCaused by: (signal: 11, SIGSEGV)'
  expect(cargoFailures(output)).toEqual(output.split('\n'))
  expect(cargoFailures('test result: ok. 5 passed; 0 failed;')).toEqual([])
})

test('vitest: single tests, and files that cannot be loaded', () => {
  const failed = { status: 'failed', fullName: 'a b', failureMessages: ['Error: no\n  at x'] }
  const report = {
    testResults: [
      { name: 'a.test.ts', status: 'failed', assertionResults: [failed, { status: 'passed' }] },
      { name: 'b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
      { name: 'c.test.ts', status: 'passed', assertionResults: [{ status: 'passed' }] },
    ],
  }
  expect(vitestFailures(report)).toEqual([
    'a.test.ts: a b\n    Error: no\n      at x',
    'b.test.ts\n    no such module',
  ])
  expect(vitestFailures(undefined)).toEqual([])
})
