/** What a chosen card says: the sentence that it proves, its figures, and its bytes. */

import { element, whole } from '../parts/dom.js'
import { milliseconds } from '../parts/format.js'
import { bytesView } from './bytes.js'
import type { Card } from './cards.js'

/** Fields that are shown in another way, or are of no use to a reader. */
const SILENT = ['claim', 'kind', 'what', 'span', 'section', 'at', 'digest']

/** The panel. */
export function detailOf(
  { title, sentence, step, bytes }: Card,
  onByte: ((at: number) => void) | undefined,
): readonly HTMLElement[] {
  const rows = Object.entries(step ?? {})
    .filter(([name]) => !SILENT.includes(name))
    .map(([name, value]) => [name, String(value)] as const)
  const digest = step?.digest === undefined ? [] : [['hashes to', step.digest] as const]
  const at = step === undefined ? [] : [['after', milliseconds(step.at / 1000)] as const]
  const facts = [...rows, ...digest, ...at].map(([name, value]) =>
    element(
      'div',
      '',
      element('dt', '', name),
      element('dd', value.length > 16 ? 'mono' : '', whole(value)),
    ),
  )
  return [
    element('h4', '', title),
    element('p', '', whole(sentence)),
    ...(facts.length === 0 ? [] : [element('dl', 'facts', ...facts)]),
    ...(bytes === undefined ? [] : [bytesView(bytes, onByte)]),
  ]
}
