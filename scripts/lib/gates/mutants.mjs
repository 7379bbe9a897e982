/**
 * Mutation testing of what changed: no mutant survives of a core file that is new or has changed
 * since its last full run.
 *
 * A change of a few lines is tried here. A larger one is tried by `npm run mutants`, which takes as
 * long as it needs and writes to the ledger what it found.
 */
import { compare, install, mutate, readLedger, testsOf } from '../mutants.mjs'
import { CommandError } from '../run.mjs'

/** Minutes for all of it. What they do not suffice for fails. */
const MINUTES = 4

/**
 * Survivors and what was not tried, one line each.
 *
 * @param {(line: string) => void} onLine
 */
export async function survivors(onLine) {
  const end = Date.now() + MINUTES * 60_000
  const { changed, never } = compare(readLedger())
  const found = never.map((file) => `${file}: never had a full run; run \`npm run mutants\``)
  if (changed.length === 0) return found
  /** @type {Record<string, string[]>} */
  const groups = {}
  for (const file of changed) {
    const { name } = testsOf(file)
    groups[name] = [...(groups[name] ?? []), file]
  }
  const uncovered = (/** @type {string} */ file, /** @type {string | number} */ left) =>
    found.push(
      `${file}: ${left} mutants not tried in ${MINUTES} minutes; run \`npm run mutants\` and commit the ledger`,
    )
  try {
    await install({ onLine, timeoutMs: end - Date.now() })
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    for (const file of changed) uncovered(file, 'all')
    return found
  }
  for (const files of Object.values(groups)) {
    const timeoutMs = end - Date.now()
    if (timeoutMs <= 0) {
      for (const file of files) uncovered(file, 'all')
      continue
    }
    for (const finding of await mutate(files, { onLine, timeoutMs })) {
      found.push(...finding.survivors.map((name) => `survives: ${name}`))
      if (finding.left > 0) uncovered(finding.file, finding.left)
    }
  }
  return found
}
