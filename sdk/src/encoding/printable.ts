/** Characters that a piece of a stranger's text may have. */
const MOST = 200

/**
 * A piece of text of strangers (nodes, files, links, contracts), fit to be shown: as `escaped` has
 * it, and cut at `most` characters, 200 if that is left out or more.
 */
export function printable(text: string, most: number = MOST): string {
  const length = Math.min(most, MOST)
  // What is not shown is not looked at: each character takes at least its own place.
  const safe = escaped(text.slice(0, length + 1))
  return safe.length > length ? `${safe.slice(0, length - 1)}…` : safe
}

/**
 * A whole message, whose own words may be long; what strangers wrote in it was cut by
 * {@link printable} where it came in. Control characters can clear a terminal and write over what
 * it shows, others turn the direction of text or break a line: each becomes its number, as in
 * `\u{1b}`.
 */
export function escaped(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`)
}
