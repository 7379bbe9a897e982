/** From steps to cards: a title, a picture and a sentence each. */

import type { Step, Trace } from 'lightproof/trace'
import type { Proof } from '../check/check.js'
import { element, icon } from '../parts/dom.js'
import type { Bytes } from './bytes.js'
import { noteOf } from './notes.js'
import {
  cosets,
  slotsPicture,
  trieNodePicture,
  trieNodeWords,
  widePicture,
} from './pictures/cells.js'
import { bytesOf } from './rlp.js'
import { readNode } from './trieNode.js'
import { wordsOf } from './words.js'

/** Something that is drawn, and what it leads to. */
export interface Card {
  readonly title: string
  readonly sentence: string
  /** What stands there, in short. */
  readonly note: string
  readonly look: 'step' | 'broken' | 'trust' | 'value'
  readonly pictures: readonly Element[]
  readonly bytes: Bytes | undefined
  readonly step: Step | undefined
}

/** What a drawing is made of. */
export interface Drawn {
  readonly trace: Trace
  /** Headers from the trusted one on. */
  readonly headers: readonly string[]
  /** Left out of a proof that does not hold. */
  readonly proof: Proof | undefined
}

/** The card of a step. */
export function cardOf(step: Step, next: Step | undefined, drawn: Drawn): Card {
  const { title, sentence } = wordsOf(step)
  const card = {
    title,
    sentence,
    note: noteOf(step),
    step,
    pictures: [] as Element[],
    bytes: bytesIn(step, drawn),
  }
  if (step.kind === 'rejected') return { ...card, look: 'broken' }
  const { level, digit, branching, versions, index, size } = step as Readonly<
    Record<string, unknown>
  >
  if (step.what === 'trie node' && step.span !== null) {
    const node = readNode(drawn.trace.proof, step.span, nibbleOf(next))
    if (node !== undefined) {
      return {
        ...card,
        look: 'step',
        title: trieNodeWords(node),
        pictures: [trieNodePicture(node)],
      }
    }
  }
  const { children, nibble } = step as Readonly<Record<string, unknown>>
  if (step.what === 'branch' && typeof children === 'number' && typeof nibble === 'number') {
    const used = Array.from({ length: 16 }, (_, i) => ((children >> i) & 1) === 1)
    card.pictures.push(trieNodePicture({ kind: 'branch', taken: nibble, used }))
  }
  if (typeof digit === 'number' && typeof branching === 'number') {
    card.pictures.push(widePicture(digit, branching))
  }
  if (Array.isArray(versions)) card.pictures.push(slotsPicture(versions, slotAt(level, drawn)))
  if (typeof index === 'number' && typeof size === 'number') card.pictures.push(cosets(index, size))
  return { ...card, look: 'step' }
}

/** The child that the walk takes, as the step behind a node tells it. */
function nibbleOf(next: Step | undefined): number | undefined {
  const nibble = next?.what === 'branch' ? next['nibble'] : undefined
  return typeof nibble === 'number' ? nibble : undefined
}

/** The slot of a level that the answer is about; above it, the tree below. */
function slotAt(level: unknown, { trace }: Drawn): number {
  const answer = trace.steps.find(({ what }) => what === 'present')
  return answer?.['level'] === level ? Number(answer?.['slot'] ?? 0) : 0
}

function bytesIn(step: Step, { trace, headers }: Drawn): Bytes | undefined {
  if (step.span !== null) return { name: 'The proof', bytes: trace.proof, span: step.span }
  if (step.section === 'header') {
    const header = headers[typeof step['header'] === 'number' ? step['header'] : headers.length - 1]
    if (header === undefined) return undefined
    const bytes = bytesOf(header)
    return { name: 'The header', bytes, span: placeOf(bytes, step['commitment']) }
  }
  if (trace.proof.length === 0) return undefined
  return { name: 'The proof', bytes: trace.proof, span: null }
}

/** Where a value stands in bytes; null if it does not. */
function placeOf(bytes: Uint8Array, value: unknown): readonly [number, number] | null {
  if (typeof value !== 'string' || !value.startsWith('0x')) return null
  const sought = bytesOf(value)
  for (let at = 0; at + sought.length <= bytes.length; at++) {
    if (sought.every((byte, i) => bytes[at + i] === byte)) return [at, at + sought.length]
  }
  return null
}

/** A card on the page: a button, since it leads to bytes and a sentence. */
export function cardButton(card: Card, onChoose: (card: Card) => void): HTMLButtonElement {
  const button = element(
    'button',
    `reason ${card.look}`,
    element(
      'span',
      'reason-title',
      ...(card.look === 'broken' ? [icon('invalid')] : []),
      card.title,
      ...(card.step?.kind === 'rejected' ? [' ', element('code', '', card.step.what)] : []),
      ...(card.note === '' ? [] : [' ', element('span', 'note', card.note)]),
    ),
  )
  button.type = 'button'
  button.append(...card.pictures.filter((each) => !(each instanceof HTMLDetailsElement)))
  button.addEventListener('click', () => onChoose(card))
  return button
}
