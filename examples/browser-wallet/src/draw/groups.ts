/** Steps in the parts that are drawn: a trie, a layer, a source, a level. */

import type { Step } from 'lightproof/trace'

/** Steps that belong together. */
export interface Group {
  readonly title: string
  /** Drawn beside its neighbours: layers. */
  readonly isColumn: boolean
  readonly steps: readonly Step[]
}

const LAYERS: Readonly<Record<string, string>> = {
  delta: 'Delta: the newest writes',
  intermediate: 'Intermediate: those before',
  snapshot: 'Snapshot: everything older',
}

const DEFAULTS: Readonly<Record<string, string>> = {
  cole: 'All sources together',
  lmpt: 'The three layers',
  mpt: 'The tries',
}

/** The group of a step by name; steps in a row with one name are one group. */
function titleOf(step: Step, system: string): string {
  const { section, kind } = step
  if (kind === 'settled') return 'Settled at once'
  switch (section) {
    case 'header':
      return 'From what you trust to the state'
    case 'account':
      return 'The trie of accounts'
    case 'slot':
      return 'The account’s storage'
    case 'layer':
      return LAYERS[String(step['layer'])] ?? 'A layer'
    case 'source':
      return step['place'] === 'memory'
        ? 'Newest writes, in memory'
        : `Run ${Number(step['source'] ?? 0) + 1}, level ${String(step['level'] ?? '')}`
    case 'tree':
      return `Level ${String(step['level'] ?? '')}`
    case 'answer':
      return 'The answer'
    case 'key':
      return 'The path of the key'
    case 'code':
      return 'The code'
    default:
      return DEFAULTS[system] ?? 'The proof'
  }
}

/** Groups the steps of a check; those that only begin a part are left out. */
export function groupsOf(steps: readonly Step[], system: string): readonly Group[] {
  const groups: { title: string; isColumn: boolean; steps: Step[] }[] = []
  for (const step of steps) {
    if (step.kind === 'entered' && step.what !== 'proof' && step.what !== 'pinned root') continue
    const last = groups.at(-1)
    // A step that breaks belongs to what it broke in.
    const title = step.kind === 'rejected' ? (last?.title ?? 'The proof') : titleOf(step, system)
    const restarts = step.what === 'trie node' && step.depth === 0 && hasNode(last?.steps)
    if (last !== undefined && last.title === title && !restarts) last.steps.push(step)
    else groups.push({ title, isColumn: step.section === 'layer', steps: [step] })
  }
  return groups
}

function hasNode(steps: readonly Step[] = []): boolean {
  return steps.some(({ what }) => what === 'trie node')
}
