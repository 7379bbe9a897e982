/** Plain text tables. */

/**
 * Lays rows out in columns, the first row being the head; numbers are set to the right.
 *
 * @param {(string | number)[][]} rows
 */
export function table(rows) {
  const [head = []] = rows
  const widths = head.map((_, column) =>
    Math.max(...rows.map((row) => String(row[column] ?? '').length)),
  )
  const line = (/** @type {(string | number)[]} */ row) =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? ''
        return typeof cell === 'number' ? String(cell).padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  const rule = widths.map((width) => '─'.repeat(width)).join('  ')
  const [first = '', ...rest] = rows.map(line)
  return [first, rule, ...rest].map((text) => `  ${text}`).join('\n')
}
