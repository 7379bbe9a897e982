/** Text on the page, and numbers in it. */

import { escaped } from 'lightproof/printable'

/** The page's element with this id. */
export function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`the page has no #${id}`)
  return found
}

/** Shows text as text, never as markup; what nodes and other wallets wrote in it was cut before. */
export function say(id: string, text: string): void {
  byId(id, HTMLElement).textContent = escaped(text)
}

/** A line of a list, and its class. */
export type Line = readonly [text: string, kind?: string]

/** Shows lines, as text likewise. */
export function list(id: string, lines: readonly Line[]): void {
  const entries = lines.map(([text, className = '']) =>
    Object.assign(document.createElement('li'), { className, textContent: escaped(text) }),
  )
  byId(id, HTMLUListElement).replaceChildren(...entries)
}

/** Whole units and the rest, exactly: `1,234` and `.5`, or nothing in place of a zero fraction. */
export function parts(units: bigint, decimals = 18): readonly [whole: string, fraction: string] {
  const one = 10n ** BigInt(decimals)
  const fraction = `.${(units % one).toString().padStart(decimals, '0')}`.replace(/\.?0*$/, '')
  return [(units / one).toLocaleString('en'), fraction]
}

/** What someone typed, such as `1.5`, in the smallest units; undefined if it is no such amount. */
export function parse(text: string, decimals: number): bigint | undefined {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text.trim()) ?? []
  if (whole === undefined || fraction.length > decimals) return undefined
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** `3 minutes old`; a clock that differs by a second makes no block older than it is. */
export function age(seconds: number | null): string {
  if (seconds === null) return 'of unknown age'
  const units = { day: 86_400, hour: 3_600, minute: 60, second: 1 }
  const [unit, size] = Object.entries(units).find(([, size]) => seconds >= size) ?? ['second', 1]
  const count = Math.floor(seconds / size)
  return `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'} old`
}
