/**
 * A path down a Merkle Patricia trie of kept nodes. It proves nothing: what it finds goes to the
 * verifier.
 */

import { equalBytes, isBytes } from '../../../encoding/hex.js'
import { itemsOf, readRlp, stringOf } from '../../../encoding/readRlp.js'
import type { RlpValue } from '../../../encoding/rlp.js'
import type { NodeCache } from './nodeCache.js'

/** Where a key leads. */
export interface Path {
  /** From the root on, as a proof lists them: nodes below 32 bytes stand inside their parents. */
  readonly nodes: readonly Uint8Array[]
  /** Undefined if the trie holds none. */
  readonly value: Uint8Array | undefined
}

/** Keys are hashes: no trie is deeper than they have digits. */
const DEEPEST = 64

/**
 * The path of a key of 32 bytes.
 *
 * @returns undefined if a node of it is not kept.
 * @throws ProofError `decode.rlp` for bytes that are not a trie node.
 */
export function walk(
  cache: Pick<NodeCache, 'get' | 'hash'>,
  root: Uint8Array,
  key: Uint8Array,
): Path | undefined {
  const nodes: Uint8Array[] = []
  let rest = digitsOf(key)
  // The root of a trie without a node is the hash of the empty string's RLP.
  const isEmpty = equalBytes(root, cache.hash(Uint8Array.of(0x80)))
  let next: RlpValue | undefined = isEmpty ? new Uint8Array(0) : root
  for (let depth = 0; depth <= DEEPEST; depth++) {
    if (isBytes(next)) {
      if (next.length === 0) return { nodes, value: undefined }
      const node = cache.get(next, 'node')
      if (node === undefined) return undefined
      nodes.push(node)
      next = readRlp(node)
    }
    const items = itemsOf(next)
    if (items.length > 2) {
      next = items[rest.shift() ?? items.length]
      continue
    }
    const [isLeaf, digits] = pathOf(stringOf(items[0]))
    const fits = digits.every((digit, i) => digit === rest[i])
    if (!fits) return { nodes, value: undefined }
    if (isLeaf) return { nodes, value: stringOf(items[1]) }
    rest = rest.slice(digits.length)
    next = items[1]
  }
  return undefined
}

function digitsOf(bytes: Uint8Array): number[] {
  return [...bytes].flatMap((byte) => [byte >> 4, byte & 15])
}

/**
 * A node's path: in its first digit 2 stands for a leaf, 1 for an odd number of digits, the first
 * of which follows.
 */
function pathOf(bytes: Uint8Array): readonly [isLeaf: boolean, digits: readonly number[]] {
  const [flags = 0, ...digits] = digitsOf(bytes)
  return [(flags & 2) !== 0, digits.slice((flags & 1) === 0 ? 1 : 0)]
}
