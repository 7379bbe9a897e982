/** Leaves out of a call’s file what proves one of the items that it reads. */

import type { CallFile } from 'lightproof/evm'
import type { Read } from './reads.js'

/** Is there anything in the file that proves this item alone? */
export function isInside({ witness }: CallFile, { parts }: Read): boolean {
  const last = parts.at(-1)
  return last !== undefined && [...witness.nodes, ...witness.codes].some((part) => part === last)
}

/** The file without the last node on the way to the item, or without the code. */
export function without(file: CallFile, { parts }: Read): CallFile {
  const last = parts.at(-1)
  const kept = <T extends string>(list: readonly T[]): readonly T[] => {
    return list.filter((part) => part !== last)
  }
  const { nodes, codes } = file.witness
  return { ...file, witness: { ...file.witness, nodes: kept(nodes), codes: kept(codes) } }
}
