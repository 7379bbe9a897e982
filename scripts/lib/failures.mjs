/** Which tests failed, and what each said, for the end of a run whose output is long. */

/** @typedef {import('./counts.mjs').VitestReport} VitestReport */

/** Of each failure: enough for a panic's place and message. */
const LINES = 12
const COLUMNS = 300

/**
 * A failed test's name, and the first lines of what it said.
 *
 * @param {string} name
 * @param {string} text
 */
function told(name, text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const first = lines.slice(0, LINES).map((line) => `    ${line.slice(0, COLUMNS)}`)
  return [name, ...first].join('\n')
}

/**
 * The failures that `cargo test` lists. A test program that ended by a signal has none.
 *
 * @param {string} output
 */
export function cargoFailures(output) {
  const blocks =
    /^---- (.+) stdout ----\n([\s\S]*?)(?=\n---- .+ stdout ----\n|\nfailures:\n|$(?![\s\S]))/gm
  const listed = [...output.matchAll(blocks)].map(([, name = '', text = '']) => told(name, text))
  if (listed.length > 0) return listed
  const lines = output.match(/^(?:error.*|test .+ \.\.\. FAILED|.*\(signal: .+)$/gm) ?? []
  return lines.slice(0, LINES)
}

/**
 * The failures in vitest's JSON report.
 *
 * @param {VitestReport | undefined} report undefined if the runner wrote none
 */
export function vitestFailures(report) {
  const files = (report?.testResults ?? []).filter(({ status }) => status === 'failed')
  return files.flatMap(({ name, message = '', assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    if (failed.length === 0) return [told(name, message)]
    return failed.map(({ fullName = '', failureMessages = [] }) =>
      told(`${name}: ${fullName}`, failureMessages.join('\n')),
    )
  })
}
