/** The lies that a devnet's node tells at paths of their own, if it was started to. */

import type { SystemName } from '../form/systems.js'

/** A lie, and what it is about: a system, `headers` or `signatures`. */
export interface NamedLie {
  readonly name: string
  readonly about: string
  readonly subject: string
}

/** The lies that are about a system, and those about signatures where signatures are checked. */
export async function liesOf(
  node: string,
  system: SystemName,
  isSigned: boolean,
): Promise<readonly NamedLie[]> {
  const subjects: readonly string[] = [
    system,
    // An account is proven to be in a header's state, so lies about headers are told of it.
    ...(system === 'mpt' ? ['headers'] : []),
    ...(isSigned ? ['signatures'] : []),
  ]
  const known = await fetchLies(node)
  return subjects.flatMap((about) => known.filter(({ subject }) => subject === about))
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
  const { name, about, subject } = value as Readonly<Record<string, unknown>>
  return [name, about, subject].every((text) => typeof text === 'string')
}
