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
  if (onByte !== undefined) listen(view, span === null ? 0 : from, onByte)
  const marked = span === null ? '' : `, ${grouped(from)} to ${grouped(to)} marked`
  const caption = element('p', 'label', `${name}: ${grouped(bytes.length)} bytes${marked}`)
  const hint =
    onByte === undefined
      ? []
      : [
          element(
            'p',
            'hint',
            'Click a byte, or use the arrow keys and Enter, to choose it for a lie.',
          ),
        ]
  return element('div', 'bytes', caption, view, ...hint)
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

const MOVES: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -PER_ROW,
  ArrowDown: PER_ROW,
}

/** A click takes a byte; so does Enter, after the arrow keys have gone there. */
function listen(view: HTMLElement, first: number, onByte: (at: number) => void): void {
  view.classList.add('clickable')
  view.addEventListener('click', ({ target }) => {
    const at = target instanceof HTMLElement ? target.dataset['at'] : undefined
    if (at !== undefined) onByte(Number(at))
  })
  const cellAt = (at: number) => view.querySelector<HTMLElement>(`[data-at="${at}"]`)
  let cursor: number | undefined
  view.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    if (event.key === 'Enter' && cursor !== undefined) {
      event.preventDefault()
      onByte(cursor)
      return
    }
    const move = MOVES[event.key]
    if (move === undefined) return
    event.preventDefault()
    const next = cursor === undefined ? first : cursor + move
    const cell = cellAt(next)
    if (cell === null) return
    if (cursor !== undefined) cellAt(cursor)?.classList.remove('at')
    cursor = next
    cell.classList.add('at')
    cell.scrollIntoView({ block: 'nearest' })
    view.setAttribute('aria-label', `Byte ${next}: ${cell.textContent}. Enter chooses it.`)
  })
}
