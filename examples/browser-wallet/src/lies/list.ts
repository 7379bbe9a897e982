/** The lies that a devnet's node tells at paths of their own, if it was started to. */

import type { SystemName } from '../form/systems.js'

/** A lie. */
export interface NamedLie {
  readonly name: string
  readonly about: string
}

const PREFIXES: readonly (readonly [RegExp, SystemName | 'signatures'])[] = [
  [/^lmpt-/, 'lmpt'],
  [/^lvmt-/, 'lvmt'],
  [/^cole-/, 'cole'],
  [/^verkle-/, 'verkle'],
  [/^balances-/, 'balanceproofs'],
  [/^(sign|committee|update|bootstrap)/, 'signatures'],
]

/** The lies that are about a system, and those about signatures where signatures are checked. */
export async function liesOf(
  node: string,
  system: SystemName,
  isSigned: boolean,
): Promise<readonly NamedLie[]> {
  const known = await fetchLies(node)
  const about = (topic: SystemName | 'signatures') =>
    known.filter(({ name }) => topicOf(name) === topic)
  return [...about(system), ...(isSigned ? about('signatures') : [])]
}

/** Is it told by signed headers? */
export function isAboutSignatures(lie: string): boolean {
  return topicOf(lie) === 'signatures'
}

function topicOf(lie: string): SystemName | 'signatures' {
  return PREFIXES.find(([prefix]) => prefix.test(lie))?.[1] ?? 'mpt'
}

/** Where a node tells a lie. */
export function lyingNode(node: string, lie: string): string {
  return `${node.replace(/\/+$/, '')}/lie/${encodeURIComponent(lie)}`
}

async function fetchLies(node: string): Promise<readonly NamedLie[]> {
  try {
    const response = await fetch(`${node.replace(/\/+$/, '')}/lie`)
    const list: unknown = response.ok ? await response.json() : []
    return Array.isArray(list) ? list.filter(isLie) : []
  } catch {
    // Nodes on the internet have no such path.
    return []
  }
}

function isLie(value: unknown): value is NamedLie {
  if (typeof value !== 'object' || value === null) return false
  const { name, about } = value as Readonly<Record<string, unknown>>
  return typeof name === 'string' && typeof about === 'string'
}
