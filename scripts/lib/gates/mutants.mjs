/** Mutation testing of what changed: no mutant survives of a core file whose mutants were all killed before, or that is new. */
import { compare, install, mutate, readLedger, testsOf } from '../mutants.mjs'
import { CommandError } from '../run.mjs'

/** Minutes for all of it. What they do not suffice for is named, and is no failure. */
const MINUTES = 4

/**
 * Survivors, one line each.
 *
 * @param {(line: string) => void} onLine
 */
export async function survivors(onLine) {
  const end = Date.now() + MINUTES * 60_000
  const { changed, never } = compare(readLedger())
  if (never.length > 0)
    console.log(`    ${never.length} files never had a full run (npm run mutants)`)
  if (changed.length === 0) return []
  /** @type {Record<string, string[]>} */
  const groups = {}
  for (const file of changed) {
    const { name } = testsOf(file)
    groups[name] = [...(groups[name] ?? []), file]
  }
  /** @type {string[]} */
  const found = []
  const uncovered = (/** @type {string} */ file, /** @type {string | number} */ left) =>
    console.log(`    ! ${file} changed; not tried: ${left} mutants (npm run mutants)`)
  try {
    await install({ onLine, timeoutMs: end - Date.now() })
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    for (const file of changed) uncovered(file, 'all')
    return []
  }
  for (const files of Object.values(groups)) {
    const timeoutMs = end - Date.now()
    if (timeoutMs <= 0) {
      for (const file of files) uncovered(file, 'all')
      continue
    }
    for (const finding of await mutate(files, { onLine, timeoutMs })) {
      found.push(...finding.survivors)
      if (finding.left > 0) uncovered(finding.file, finding.left)
    }
  }
  return found.map((name) => `survives: ${name}`)
}
