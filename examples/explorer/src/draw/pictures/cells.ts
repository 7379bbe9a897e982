/** Pictures of nodes: rows of cells, one for each child, slot or digit. */

import { element } from '../../parts/dom.js'
import type { TrieNode } from '../trieNode.js'

/** One cell of a row. */
interface Cell {
  readonly text: string
  readonly look: 'used' | 'free' | 'taken' | 'path'
}

function row(kind: string, cells: readonly Cell[]): HTMLElement {
  const made = element(
    'span',
    `cells ${kind}`,
    ...cells.map(({ text, look }) => element('span', look, text)),
  )
  // What it shows is in the words beside it.
  made.setAttribute('aria-hidden', 'true')
  return made
}

/** A trie node: sixteen children with the one that the key takes, or a path of digits. */
export function trieNodePicture(node: TrieNode): HTMLElement {
  if (node.kind !== 'branch') {
    const digits = node.path.length > 24 ? `${node.path.slice(0, 23)}…` : node.path
    return row(
      'path',
      [...digits].map((text) => ({ text, look: 'path' })),
    )
  }
  const { used, taken } = node
  return row(
    'branch',
    used.map((isUsed, i) => ({
      text: i.toString(16),
      look: i === taken ? 'taken' : isUsed ? 'used' : 'free',
    })),
  )
}

/** The same in words. */
export function trieNodeWords(node: TrieNode): string {
  if (node.kind !== 'branch') {
    const count = node.path.length
    const digits = count === 0 ? 'no further digits' : `${count} digits at once`
    return node.kind === 'leaf' ? `Leaf, ${digits}` : `Shared prefix, ${digits}`
  }
  const children = node.used.filter((isUsed) => isUsed).length
  const way = node.taken === undefined ? '' : `, on at ${node.taken.toString(16)}`
  return `Branch of ${children}${way}`
}

/** The six versions of an AMT leaf: that of the tree below, and those of five keys. */
export function slotsPicture(versions: readonly unknown[], taken: unknown): HTMLElement {
  const cells = versions.map((version, slot): Cell => {
    const look = slot === taken ? 'taken' : Number(version) === 0 ? 'free' : 'used'
    return { text: String(version), look }
  })
  return row('slots', cells)
}

/** The halvings from the whole vector down to a leaf, by the low bits of its number. */
export function cosets(index: number, depth: number): HTMLElement {
  const bits = Array.from({ length: depth }, (_, i) => (index >> i) & 1)
  const made = element(
    'details',
    'cosets',
    element('summary', '', `${depth} halvings down to it`),
    row(
      'bits',
      bits.map((bit) => ({ text: String(bit), look: bit === 1 ? 'taken' : 'free' })),
    ),
    element(
      'p',
      'aside',
      'Each bit of the leaf’s number, lowest first, picks one half: a coset of the roots of unity.',
    ),
  )
  return made
}

/** The branches of a wide node, with the one that the key takes. */
export function widePicture(digit: number, branching: number): HTMLElement {
  const mark = element('span', 'mark')
  mark.style.setProperty('left', `${((digit + 0.5) / branching) * 100}%`)
  const made = element('span', 'wide', mark)
  made.setAttribute('aria-hidden', 'true')
  return made
}
