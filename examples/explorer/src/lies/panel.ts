/** Lets the reader make the node lie, or change a byte of what it sent, and see the check break. */

import { printable } from 'lightproof/printable'
import type { Proof } from '../check/check.js'
import { element, whole } from '../parts/dom.js'
import { grouped } from '../parts/format.js'
import { lengthOf } from './flip.js'
import type { NamedLie } from './list.js'

/** What the panel starts. */
export interface Liar {
  readonly onLie: (name: string) => void
  readonly onFlip: (at: number) => void
  /** Shows the honest answer again; left out while that is on screen. */
  readonly onHonest?: () => void
  /** A lie that had no effect on this answer. */
  readonly idle?: string
  /** The lie that was told last. */
  readonly told?: string
}

/** The panel about an honest proof. */
export function liePanel(honest: Proof, lies: readonly NamedLie[], liar: Liar): HTMLElement {
  const section = element(
    'section',
    'card lies',
    element('h3', '', 'Make it lie'),
    element('p', 'aside', 'Every lie breaks a step of the check. See which one, and where.'),
    ...(liar.idle === undefined
      ? []
      : [
          element(
            'p',
            'warning',
            whole(
              `“${printable(liar.idle)}” does not fit this answer, so the node told the truth.`,
            ),
          ),
        ]),
    element(
      'div',
      'ways',
      ...(lies.length === 0 ? [] : [byName(lies, liar)]),
      byByte(honest, liar),
    ),
  )
  if (liar.onHonest !== undefined) {
    const back = button('Back to the honest answer', 'quiet', liar.onHonest)
    back.id = 'honest'
    section.append(back)
  }
  section.id = 'lies'
  section.setAttribute('aria-label', 'Lies')
  return section
}

function byName(lies: readonly NamedLie[], { onLie, told }: Liar): HTMLElement {
  const select = element('select', '', ...lies.map(({ name }) => new Option(printable(name), name)))
  select.id = 'lie'
  if (lies.some(({ name }) => name === told)) select.value = String(told)
  const about = element('p', 'hint')
  const tell = (): void => {
    const lie = lies.find(({ name }) => name === select.value)
    about.textContent = printable(lie?.about ?? '')
  }
  select.addEventListener('change', tell)
  tell()
  const ask = button('Ask a liar', '', () => onLie(select.value))
  ask.id = 'ask-liar'
  return way('A lie of the node', select, ask, about)
}

function byByte(honest: Proof, { onFlip }: Liar): HTMLElement {
  const last = lengthOf(honest.file) - 1
  const input = element('input', '')
  input.id = 'byte'
  input.type = 'number'
  input.min = '0'
  input.max = String(last)
  input.value = String(Math.floor(last / 2))
  const flip = button('Flip its last bit', '', () => {
    const at = Math.min(Math.max(Math.floor(Number(input.value)) || 0, 0), last)
    onFlip(at)
  })
  flip.id = 'flip'
  const hint = element(
    'p',
    'hint',
    `0 to ${grouped(last)}; click a byte of the proof to choose it.`,
  )
  return way('A byte of the proof', input, flip, hint)
}

/** Puts the number of a byte into the panel. */
export function chooseByte(at: number): void {
  const input = document.getElementById('byte')
  if (!(input instanceof HTMLInputElement)) return
  input.value = String(at)
  document.getElementById('flip')?.focus()
}

function way(name: string, field: HTMLElement, act: HTMLElement, hint: HTMLElement): HTMLElement {
  const label = element('label', '', name)
  label.htmlFor = field.id
  return element('div', 'field', label, element('div', 'ask', field, act), hint)
}

function button(text: string, className: string, onClick: () => void): HTMLButtonElement {
  const made = element('button', className, text)
  made.type = 'button'
  made.addEventListener('click', onClick)
  return made
}
