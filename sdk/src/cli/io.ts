/** What the command line talks through, and how it says things. */

import { escaped, printable } from '../encoding/printable.js'
import type { Reverted } from '../evm/types.js'
import {
  InputError,
  PlatformError,
  ProofError,
  TransportError,
  UnavailableError,
} from '../result/errors.js'
import type { Json } from '../result/json.js'
import type { Invalid, Unavailable } from '../result/result.js'

/** Where text goes. */
export interface Io {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Is `err` a terminal, on which a line can be written over? */
  readonly isLive: boolean
  readonly signal: AbortSignal
}

/** How the command ended, for shells. */
export const EXIT = {
  /** Proven, present or absent; or done. */
  ok: 0,
  /** A fault of this program or this machine. */
  fault: 1,
  /** A mistake on the command line. */
  usage: 2,
  /** A proof does not hold, and no other node sent a good one. */
  invalid: 3,
  /** Nothing was proven, and nobody was caught lying. */
  unavailable: 4,
  /** Too few sources agree on a checkpoint. */
  disagreed: 5,
  /** The client under attack took a lie for an answer, or never came back. */
  deceived: 6,
  interrupted: 130,
} as const

/** A mistake on the command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The exit code that an error stands for. */
export function exitOf(error: unknown): number {
  if (error instanceof UsageError || error instanceof InputError) return EXIT.usage
  if (error instanceof ProofError) return EXIT.invalid
  if (error instanceof UnavailableError || error instanceof TransportError) return EXIT.unavailable
  return EXIT.fault
}

/** Errors whose message says all; of others the stack is wanted. */
export function isExpected(error: unknown): error is Error {
  return exitOf(error) !== EXIT.fault || error instanceof PlatformError
}

/**
 * A text on a line of its own, whole: a message's parts that strangers wrote are cut where it was
 * made.
 */
export function line(text: string): string {
  return escaped(text)
}

/** A refusal in words and by its code. */
export function refusal({ status, error }: Reverted | Invalid | Unavailable): string {
  return `${status}: ${line(error.message)} (${error.code})\n`
}

/** Rows of a name and what it is, aligned. */
export function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  return rows.map(([name, text]) => `${line(name).padEnd(width)}  ${line(text)}\n`).join('')
}

/** Pretty JSON, with its line end; what a terminal would obey is written as JSON escapes it. */
export function jsonText(json: Json): string {
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  const text = JSON.stringify(json, null, 2)
  return `${text.replace(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu, (one) => one.split('').map(escaped).join(''))}\n`
}

/** Progress on one line of a terminal; nothing in a log. */
export function progress({ err, isLive }: Io): { show(text: string): void; clear(): void } {
  if (!isLive) return { show: () => undefined, clear: () => undefined }
  return {
    show: (text) => err(`\r\u001b[2K${printable(text, 79)}`),
    clear: () => err('\r\u001b[2K'),
  }
}

/** How old a value is. */
export function age(seconds: number | null): string {
  return seconds === null ? 'of unknown age' : `${span(seconds)} old`
}

/** How long ago something else was. */
export function ago(seconds: number | null): string {
  return seconds === null ? 'of an unknown time' : `of ${span(seconds)} ago`
}

/** `2 min`, `3 h`, `5 days`: seconds in the largest unit that fits twice. */
function span(seconds: number): string {
  const units = [
    ['days', 86_400],
    ['h', 3600],
    ['min', 60],
  ] as const
  const unit = units.find(([, size]) => seconds >= 2 * size)
  return unit === undefined ? `${seconds} s` : `${Math.floor(seconds / unit[1])} ${unit[0]}`
}
