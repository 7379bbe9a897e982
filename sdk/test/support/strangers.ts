/** Text of strangers that is long and hostile, and what errors may make of it. */

import { expect } from 'vitest'

/** What moves a cursor, hides or turns text, or ends a line. */
const HOSTILE = '\u001b[2J\u009b0m\u202e\u2066\u200f\u2028\u2029\u0085\ufeff\r\n'

/**
 * 5,000 characters of a stranger, which no text of this package holds; plain ones among them, where
 * hostile ones cannot be.
 */
export const LONG: string = (HOSTILE + 'ж'.repeat(200)).repeat(30).slice(0, 5000)
export const PLAIN: string = 'ж'.repeat(5000)

const BAD = /[\p{C}\p{Zl}\p{Zp}]/u

/** All texts of an error, those of its causes and of its stack's lines included. */
function textsOf(error: unknown, depth = 0): string[] {
  if (typeof error === 'string') return [error]
  if (!(error instanceof Error) || depth > 8) return []
  const { name, message, stack = '', cause } = error
  const lines = stack.replace(message, '').split('\n')
  const own = ['code', 'argument', 'node', 'reason'].map((field) => {
    return (error as unknown as Record<string, unknown>)[field]
  })
  return [name, message, ...lines, ...own, ...textsOf(cause, depth + 1)].filter(
    (text) => typeof text === 'string',
  )
}

/**
 * Expects that nothing of a stranger's text gets through that a terminal obeys, and no more than
 * 200 characters of a piece. Two pieces never stand side by side, so a run of 200 of what
 * {@link LONG} is made of is one that was not cut.
 */
export function expectCut(error: unknown): void {
  const texts = textsOf(error)
  expect(texts.length).toBeGreaterThan(0)
  for (const text of texts) {
    expect(text).not.toMatch(BAD)
    expect(longestRun(text)).toBeLessThanOrEqual(200)
  }
}

/** Characters of the longest piece that a stranger wrote; the cut's own mark is its last. */
function longestRun(text: string): number {
  const runs = text.match(/(?:ж|\\u\{[0-9a-f]+\}|\[2J|0m|%D0%B6|…)+/g) ?? []
  return Math.max(0, ...runs.map((run) => run.length))
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/**
 * Copies of JSON, each with the text in another place: in place of a value, and as one more key of
 * an object.
 */
export function withText(json: unknown, text: string): readonly (readonly [string, unknown])[] {
  return copies(JSON.parse(JSON.stringify(json)) as Json, text, '$')
}

function copies(json: Json, text: string, path: string): (readonly [string, unknown])[] {
  const here = [[path, text]] as const
  if (Array.isArray(json)) {
    // One of many is like the others.
    const [first] = json as readonly Json[]
    if (first === undefined) return [...here, [`${path}[]`, [text]]]
    const rest = json.slice(1)
    const inner = copies(first, text, `${path}[0]`)
    return [...here, ...inner.map(([at, copy]) => [at, [copy, ...rest]] as const)]
  }
  if (typeof json !== 'object' || json === null) return [...here]
  const record = json as { readonly [key: string]: Json }
  const inner = Object.entries(record).flatMap(([key, value]) =>
    copies(value, text, `${path}.${key}`).map(
      ([at, copy]) => [at, { ...record, [key]: copy }] as const,
    ),
  )
  return [...here, ...inner, [`${path}.*`, { ...record, [text]: 1 }]]
}
