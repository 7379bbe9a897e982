/** What libFuzzer prints of a run. */

/**
 * What came of a run.
 *
 * @typedef {object} FuzzerRun
 * @property {number} executions
 * @property {number} regions edges of the control flow that were reached, over all of the corpus:
 *   libFuzzer's `cov`
 */

/**
 * Reads the statistics of a run with `-print_final_stats=1`; undefined if it did not come to its
 * end.
 *
 * @param {string} output
 * @returns {FuzzerRun | undefined}
 */
export function readRun(output) {
  const [, executions] = /^stat::number_of_executed_units:\s*(\d+)/m.exec(output) ?? []
  // Of the lines of its progress the last one counts.
  const regions = [...output.matchAll(/^#\d+\s.*?\bcov: (\d+)/gm)].at(-1)?.[1]
  if (executions === undefined || regions === undefined) return undefined
  return { executions: Number(executions), regions: Number(regions) }
}
