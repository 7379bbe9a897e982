/** Text on the page. */

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

/** Wei as ether, exactly: `1,234` and `.5`, or nothing in place of a fraction that is zero. */
export function ether(wei: bigint): readonly [whole: string, fraction: string] {
  const digits = wei.toString().padStart(19, '0')
  const whole = BigInt(digits.slice(0, -18)).toLocaleString('en')
  return [whole, `.${digits.slice(-18)}`.replace(/\.?0+$/, '')]
}

/** `3 minutes old`; a clock that differs by a second makes no block older than it is. */
export function age(seconds: number | null): string {
  if (seconds === null) return 'of unknown age'
  const units = { day: 86_400, hour: 3_600, minute: 60, second: 1 }
  const [unit, size] = Object.entries(units).find(([, size]) => seconds >= size) ?? ['second', 1]
  const count = Math.floor(seconds / size)
  return `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'} old`
}
