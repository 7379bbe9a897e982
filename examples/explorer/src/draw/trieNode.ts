/** A node of a Merkle Patricia trie, as far as it is drawn. */

import { hexOf, itemsAt } from './rlp.js'

/** What kind of node it is. */
export type TrieNode =
  | {
      readonly kind: 'branch'
      readonly taken: number | undefined
      readonly used: readonly boolean[]
    }
  | { readonly kind: 'leaf' | 'extension'; readonly path: string }

/**
 * Reads the node at `span`.
 *
 * @param taken - the child that the walk goes on at.
 */
export function readNode(
  proof: Uint8Array,
  [from]: readonly [number, number],
  taken: number | undefined,
): TrieNode | undefined {
  const items = itemsAt(proof, from)
  if (items.length === 17) {
    const children = items.slice(0, 16)
    const used = children.map((item) => item.to > item.from)
    return { kind: 'branch', taken, used }
  }
  const [path] = items
  if (items.length !== 2 || path === undefined) return undefined
  const digits = hexOf(proof.subarray(path.from, path.to))
  const flag = Number.parseInt(digits[0] ?? '0', 16)
  const rest = digits.slice(flag % 2 === 1 ? 1 : 2)
  return { kind: flag >= 2 ? 'leaf' : 'extension', path: rest }
}
