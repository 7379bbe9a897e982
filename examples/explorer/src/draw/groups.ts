/** Steps in the parts that are drawn: a trie, a layer, a source, a level. */

import type { Step } from 'lightproof/trace'
import { shortHex } from '../parts/format.js'

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
  balanceproofs: 'The vector',
  cole: 'All sources together',
  lmpt: 'The three layers',
  mpt: 'The trie',
}

/** The group of a step by name; steps in a row with one name are one group. */
function titleOf(step: Step, system: string): string {
  const { section, kind } = step
  if (kind === 'settled') return 'Settled at once'
  if (step.what === 'question') return 'What was asked'
  switch (section) {
    case 'header':
      return 'From what you trust to the state'
    case 'account':
      return `The trie of accounts${named(step['address'])}`
    case 'slot':
      return `The account’s storage${named(step['key'], ', slot')}`
    case 'layer':
      return LAYERS[String(step['layer'])] ?? 'A layer'
    case 'source':
      return sourceTitle(step)
    case 'tree':
      return `Level ${String(step['level'] ?? '')}`
    case 'answer':
      return 'What was written, and when'
    case 'key':
      return 'The path of the key'
    case 'aggregate':
      return 'One opening for the whole path'
    case 'code':
      return 'The code'
    default:
      return DEFAULTS[system] ?? 'The proof'
  }
}

/** Of which account or slot. */
function named(hex: unknown, before = ','): string {
  if (typeof hex !== 'string') return ''
  return `${before} ${shortHex(hex.replace(/^0x0{40,}(?=.)/, '0x'))}`
}

function sourceTitle({ place, source, level, form }: Step): string {
  const name =
    place === 'memory'
      ? 'Newest writes, in memory'
      : `Source ${Number(source ?? 0) + 1}: run of level ${String(level ?? '')}`
  return form === 'open' || form === undefined ? name : `${name}, ${String(form)}`
}

/** Groups the steps of a check; those that only begin a part are left out. */
export function groupsOf(steps: readonly Step[], system: string): readonly Group[] {
  const groups: { title: string; isColumn: boolean; steps: Step[] }[] = []
  for (const step of steps) {
    // What begins is told by the steps in it; a pinned root has no others.
    if (step.kind === 'entered' && step.what !== 'pinned root') continue
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

/** Layers that a proof over layers leaves out. */
export function unopenedLayers(groups: readonly Group[]): readonly string[] {
  if (!groups.some(({ isColumn }) => isColumn)) return []
  return Object.values(LAYERS).filter((layer) => groups.every(({ title }) => title !== layer))
}
