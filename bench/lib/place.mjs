/** Where a table was made. */

import { cpus, loadavg } from 'node:os'
import { probe } from '../../scripts/lib/run.mjs'

/** The commit, the processors, and the machine's load. */
export function place() {
  const commit = probe('git', ['rev-parse', '--short=12', 'HEAD']) ?? 'unknown'
  const [first] = cpus()
  const load = (loadavg()[0] ?? 0).toFixed(1)
  return `${commit}, ${cpus().length} × ${first?.model ?? 'unknown'}, load ${load}`
}
