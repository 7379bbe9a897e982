/** The report as tables, for a terminal and for the README. */

import { table } from '../../scripts/lib/table.mjs'

/** @typedef {import('./types.js').Report} Report */
/** @typedef {import('./types.js').Row} Row */

/** @param {Report} report */
export function toText(report) {
  const own = Object.keys(report.titles.systems ?? {}).map((system) => timeRows(report, system))
  const proofs = timeRows(report)
  const times = [...own, ...(proofs.length > 1 ? [proofs] : [])].map(table)
  return [`  ${place(report)}`, ...times, table(sizeRows(report))].join('\n\n')
}

/** @param {Report} report */
export function toMarkdown(report) {
  const about =
    'Medians of one check, by the processor’s clock; in brackets, how many times the first column’s time in the same round. All but the SDK start from bytes in ' +
    'memory; the SDK from a proof file in hex. Cold start: import, instantiation and the first proof in a fresh process.'
  return [place(report), markdown(timeRows(report)), about, markdown(sizeRows(report))].join('\n\n')
}

/**
 * The table of a system that measures by itself.
 *
 * @param {Report} report
 * @param {string} system
 */
export function toMarkdownOf(report, system) {
  const about = report.titles.systems?.[system]?.about ?? ''
  return [place(report), markdown(timeRows(report, system)), about].join('\n\n')
}

/**
 * bench/README.md with the text between its markers.
 *
 * @param {string} readme
 * @param {string} text
 * @param {string} [system] whose markers; left out, those of proofs and sizes
 * @throws if the markers are not there.
 */
export function intoReadme(readme, text, system) {
  const name = system === undefined ? 'bench' : `bench:${system}`
  const [open, close] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`]
  const start = readme.indexOf(open)
  const end = readme.indexOf(close)
  if (start < 0 || end < start) throw new Error(`bench/README.md has no ${open} … ${close}`)
  return `${readme.slice(0, start + open.length)}\n${text}\n${readme.slice(end)}`
}

/** @param {Report} report */
function place({ commit, machine, node, load }) {
  return `Commit ${commit}, Node ${node}, ${machine}, load ${load.toFixed(1)}.`
}

/**
 * A row per case, a column per engine.
 *
 * @param {Report} report
 * @param {string} [system]
 */
function timeRows({ titles, rows: all }, system) {
  const rows = all.filter((row) => row.system === system)
  const engines = [...new Set(rows.map(({ engine }) => engine))]
  const cases = [...new Set(rows.map((row) => row.case))]
  const what = system === undefined ? 'proof' : (titles.systems?.[system]?.title ?? system)
  const peer = system === undefined ? undefined : titles.systems?.[system]?.peer
  const peers = peer === undefined ? [] : [peer]
  const hasBytes = rows.some(({ proofBytes }) => proofBytes > 0)
  const head = [
    what,
    ...(hasBytes ? ['bytes'] : []),
    ...peers,
    ...engines.map((engine) => titles.engines[engine] ?? engine),
  ]
  return [
    head,
    ...cases.map((id) => {
      const own = rows.filter((row) => row.case === id)
      const cells = engines.map((engine) => cell(own.find((row) => row.engine === engine)))
      const [{ proofBytes = 0, peerBytes = 0 } = {}] = own
      const theirs = peers.map(() => bytes(peerBytes))
      const size = hasBytes ? [bytes(proofBytes)] : []
      return [titles.cases[id] ?? id, ...size, ...theirs, ...cells]
    }),
  ]
}

/** @param {number} count */
function bytes(count) {
  return count === 0 ? '' : grouped(count)
}

/** @param {Row | undefined} row */
function cell(row) {
  if (row === undefined) return ''
  if (row.shown !== undefined) return row.shown
  const ratio = row.ratioToOurs === null ? '' : ` (${row.ratioToOurs.toFixed(1)}×)`
  return time(row.medianUs) + ratio
}

/** @param {number} us */
function time(us) {
  if (us >= 1000) return `${(us / 1000).toFixed(us >= 10_000 ? 0 : 1)} ms`
  return `${us.toFixed(us >= 100 ? 0 : 1)} µs`
}

/** @param {Report} report */
function sizeRows({ sizes }) {
  return [
    ['download', 'bytes', 'gzip', 'brotli'],
    ...sizes.map(({ name, raw, gzip, brotli }) => [name, ...[raw, gzip, brotli].map(grouped)]),
  ]
}

/** @param {number} value */
function grouped(value) {
  return value.toLocaleString('en')
}

/** @param {string[][]} rows */
function markdown([head = [], ...rows]) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`
  const rule = line(head.map((_, i) => (i === 0 ? '---' : '---:')))
  return [line(head), rule, ...rows.map(line)].join('\n')
}
