/** The bytes of a proof or header, sixteen in a row, with the span of a step marked. */

import { element } from '../parts/dom.js'
import { grouped } from '../parts/format.js'

/** Bytes that are shown at once: those around the span. */
const WINDOW = 2048
const PER_ROW = 16

/** Which bytes of what. */
export interface Bytes {
  readonly name: string
  readonly bytes: Uint8Array
  readonly span: readonly [number, number] | null
}

/** The view. */
export function bytesView(
  { name, bytes, span }: Bytes,
  onByte: ((at: number) => void) | undefined,
): HTMLElement {
  const [from, to] = span ?? [0, 0]
  const start = span === null ? 0 : Math.max(0, Math.floor((from - 64) / PER_ROW) * PER_ROW)
  const end = Math.min(bytes.length, start + WINDOW)
  const rows: HTMLElement[] = []
  for (let at = start; at < end; at += PER_ROW) {
    rows.push(rowAt(bytes, at, Math.min(at + PER_ROW, end), from, to))
  }
  const view = element('div', 'hex', ...rows)
  view.tabIndex = 0
  view.setAttribute('role', 'region')
  view.setAttribute('aria-label', `${name}, in hex`)
  if (onByte !== undefined) listen(view, onByte)
  const marked = span === null ? '' : `, ${grouped(from)} to ${grouped(to)} marked`
  const caption = element('p', 'label', `${name}: ${grouped(bytes.length)} bytes${marked}`)
  return element('div', 'bytes', caption, view)
}

function rowAt(bytes: Uint8Array, at: number, end: number, from: number, to: number): HTMLElement {
  const cells = Array.from(bytes.subarray(at, end), (byte, i) => {
    const place = at + i
    const cell = element(
      'span',
      place >= from && place < to ? 'in' : '',
      byte.toString(16).padStart(2, '0'),
    )
    cell.dataset['at'] = String(place)
    return cell
  })
  return element('div', '', element('span', 'offset', String(at).padStart(5, ' ')), ...cells)
}

function listen(view: HTMLElement, onByte: (at: number) => void): void {
  view.classList.add('clickable')
  view.addEventListener('click', ({ target }) => {
    const at = target instanceof HTMLElement ? target.dataset['at'] : undefined
    if (at !== undefined) onByte(Number(at))
  })
}
