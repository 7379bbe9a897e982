/** What steps took, summed up. */

import type { Counts, Step } from './types.js'

/**
 * Sums up steps.
 *
 * @param omitted - how many more there were.
 */
export function countsOf(steps: readonly Step[], omitted: number): Counts {
  const sum = (of: (step: Step) => number | undefined): number =>
    steps.reduce((total, step) => total + (of(step) ?? 0), 0)
  const count = (kind: Step['kind']): number => steps.filter((step) => step.kind === kind).length
  return {
    steps: steps.length,
    omitted,
    hashes: sum(({ kind, hashes = 1 }) => (kind === 'hashed' ? hashes : 0)),
    bytesHashed: sum(({ kind, bytes, span }) =>
      kind === 'hashed' ? (bytes ?? (span === null ? 0 : span[1] - span[0])) : 0,
    ),
    compared: count('compared'),
    opened: count('opened'),
    terms: sum(({ terms }) => terms),
    loops: sum(({ loops }) => loops),
    exponentiations: sum(({ exponentiations }) => exponentiations),
    microseconds: steps.at(-1)?.at ?? 0,
  }
}
