/** How many tests passed, failed and were skipped, read from what the runners print. */

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * Sums the `test result:` lines of `cargo test`. A run that ended badly without a failed test (it
 * did not compile, or a test program crashed) counts as one failure, and so does one without any
 * test: neither may look empty.
 *
 * cargo knows no skipping at run time: a test that prints `SKIPPED: why` passed without looking at
 * anything.
 *
 * @param {string} output
 * @param {boolean} ok whether cargo exited with 0
 * @returns {Counts}
 */
export function cargoCounts(output, ok) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const line of output.matchAll(
    /test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/g,
  )) {
    counts.passed += Number(line[1])
    counts.failed += Number(line[2])
    counts.skipped += Number(line[3])
  }
  const unseen = skips(output).length
  return neverEmpty(
    { ...counts, passed: counts.passed - unseen, skipped: counts.skipped + unseen },
    ok,
  )
}

/**
 * What tests say they skipped.
 *
 * @param {string} output
 */
export function skips(output) {
  return [...output.matchAll(/SKIPPED: (.+)/g)].map((found) => found[1] ?? '')
}

/**
 * @param {Counts} counts
 * @param {boolean} ok
 * @returns {Counts}
 */
function neverEmpty(counts, ok) {
  const empty = counts.passed + counts.failed + counts.skipped === 0
  return counts.failed === 0 && (!ok || empty) ? { ...counts, failed: 1 } : counts
}

/**
 * @typedef {object} VitestReport The fields used of vitest's JSON report.
 * @property {{ name: string, status: string, message?: string, assertionResults: VitestResult[] }[]} testResults
 */

/** @typedef {{ status: string, fullName?: string, failureMessages?: string[] }} VitestResult */

/**
 * Counts vitest's JSON report. A file that failed outside its tests (an import, a hook) counts as
 * one failure, and so does a run that ended badly with nothing to show for it, or that ran nothing.
 *
 * @param {VitestReport | undefined} report undefined if the runner wrote none
 * @param {boolean} ok whether vitest exited with 0
 * @returns {Counts}
 */
export function vitestCounts(report, ok) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const file of report?.testResults ?? []) {
    const failedBefore = counts.failed
    for (const { status } of file.assertionResults) {
      if (status === 'passed') counts.passed += 1
      else if (status === 'failed') counts.failed += 1
      else counts.skipped += 1
    }
    if (file.status === 'failed' && counts.failed === failedBefore) counts.failed += 1
  }
  return neverEmpty(counts, ok)
}

/**
 * @param {Counts[]} all
 * @returns {Counts}
 */
export function sum(all) {
  const total = { passed: 0, failed: 0, skipped: 0 }
  for (const { passed, failed, skipped } of all) {
    total.passed += passed
    total.failed += failed
    total.skipped += skipped
  }
  return total
}

/**
 * The line that ends a run: `N passed, N failed`, with `, N skipped` if any.
 *
 * @param {Counts} counts
 */
export function totalLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
