/** Numbers and times for people. */

import { printable } from 'lightproof/printable'

const WEI_PER_ETHER = 10n ** 18n

/** Below this many wei, ether would be a row of zeros. */
const DUST = 10n ** 9n

/**
 * Groups digits by three with commas: `1234567` → `1,234,567`. A bare root's block has no number.
 */
export function grouped(value: bigint | number | null): string {
  if (value === null) return 'of unknown number'
  return value.toString().replace(/\B(?=(\d{3})+$)/g, ',')
}

/** Wei as ether, without loss and without needless zeros: `1500000000000000000n` → `1.5`. */
function ether(wei: bigint): string {
  const fraction = (wei % WEI_PER_ETHER).toString().padStart(18, '0').replace(/0+$/, '')
  const whole = grouped(wei / WEI_PER_ETHER)
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** A balance in the unit that reads best; always exact. */
export function amount(wei: bigint): { readonly figure: string; readonly unit: 'ETH' | 'wei' } {
  const isDust = wei > 0n && wei < DUST
  return isDust ? { figure: grouped(wei), unit: 'wei' } : { figure: ether(wei), unit: 'ETH' }
}

/** A span of time in words, in its largest unit. */
export function duration(seconds: number): string {
  const units: readonly [string, number][] = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ]
  const [name, size] = units.find(([, length]) => seconds >= length) ?? ['second', 1]
  const count = Math.floor(seconds / size)
  return `${grouped(count)} ${name}${count === 1 ? '' : 's'}`
}

/**
 * Milliseconds with a sensible number of digits; browsers round their clocks, so zero means "less
 * than".
 */
export function milliseconds(time: number): string {
  if (time < 0.1) return 'less than 0.1 ms'
  return time < 10 ? `${time.toFixed(1)} ms` : `${Math.round(time)} ms`
}

/** A 32-byte word: as a number while that can be read, in hex otherwise. */
export function word(value: bigint): string {
  if (value < 10n ** 24n) return grouped(value)
  const hex = value.toString(16).padStart(64, '0')
  return `0x${hex.slice(0, 8)}…${hex.slice(-6)}`
}

/** The host of a URL, or the text if it is none. */
export function shortUrl(url: string): string {
  try {
    return printable(new URL(url).host)
  } catch {
    return printable(url)
  }
}

/** A hash by its ends. */
export function shortHex(hex: string): string {
  return hex.length <= 20 ? hex : `${hex.slice(0, 8)}…${hex.slice(-4)}`
}
