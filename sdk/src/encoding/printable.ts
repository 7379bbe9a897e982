/**
 * Text of strangers (nodes, files, links), fit to be shown. Control characters can clear a terminal and write over what it
 * shows, others turn the direction of text or break a line: each becomes its number, as in `\u{1b}`. What is longer than `most`
 * characters is cut.
 */
export function printable(text: string, most = 200): string {
  const safe = text
    .slice(0, most + 1)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`)
  return safe.length > most ? `${safe.slice(0, most - 1)}…` : safe
}
