import { expect, test } from 'vitest'
import { cargoCounts, sum, totalLine, vitestCounts } from '../lib/counts.mjs'

const CARGO = `
test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s
test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
`

/**
 * @param {string} status
 * @param {string[]} statuses
 */
function file(status, ...statuses) {
  return { name: 'a.test.ts', status, assertionResults: statuses.map((each) => ({ status: each })) }
}

test('cargo: sums every test program', () => {
  expect(cargoCounts(CARGO, false)).toEqual({ passed: 15, failed: 2, skipped: 1 })
})

test('cargo: a run that does not compile is one failure', () => {
  expect(cargoCounts('error: could not compile `x`', false).failed).toBe(1)
})

test('cargo: a test program that crashes after others passed is one failure', () => {
  const output = 'test result: ok. 5 passed; 0 failed; 0 ignored; \nsignal: 11, SIGSEGV'
  expect(cargoCounts(output, false)).toEqual({ passed: 5, failed: 1, skipped: 0 })
})

test('cargo: a test that says it skipped did not pass', () => {
  const output = `SKIPPED: no folder\ntest result: ok. 5 passed; 0 failed; 0 ignored;`
  expect(cargoCounts(output, true)).toEqual({ passed: 4, failed: 0, skipped: 1 })
})

test('cargo: a run without any test is one failure', () => {
  expect(cargoCounts('', true).failed).toBe(1)
})

test('vitest: counts single tests', () => {
  const report = {
    testResults: [file('failed', 'passed', 'failed', 'pending'), file('passed', 'passed')],
  }
  expect(vitestCounts(report, false)).toEqual({ passed: 2, failed: 1, skipped: 1 })
})

test('vitest: a file that cannot be loaded is one failure', () => {
  const report = { testResults: [file('failed'), file('passed', 'passed')] }
  expect(vitestCounts(report, false)).toEqual({ passed: 1, failed: 1, skipped: 0 })
})

test('vitest: no report, an empty report and an unexplained exit code are failures', () => {
  expect(vitestCounts(undefined, false).failed).toBe(1)
  expect(vitestCounts({ testResults: [] }, true).failed).toBe(1)
  expect(vitestCounts({ testResults: [file('passed', 'passed')] }, false).failed).toBe(1)
})

test('the total names skipped tests only if there are any', () => {
  const some = { passed: 2, failed: 0, skipped: 0 }
  expect(totalLine(sum([some, some]))).toBe('4 passed, 0 failed')
  const total = sum([some, { passed: 0, failed: 1, skipped: 3 }])
  expect(totalLine(total)).toBe('2 passed, 1 failed, 3 skipped')
})
