/** Pictures of the table of all systems: time against bytes, both by powers of ten. */

import {
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
} from 'd3-shape'
import { HEIGHT, layout, MARK, nearest, PLOT, WIDTH } from './plotLayout.mjs'

/** @typedef {import('./plotLayout.mjs').Box} Box */
/** @typedef {import('./plotLayout.mjs').Figure} Figure */
/** @typedef {import('./plotLayout.mjs').Mark} Mark */

const SHAPES = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolCross, symbolStar]
/** Apart for eyes that do not tell all colours, on white and on black (Okabe and Ito). */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b8860b', '#56b4e9']
const UNITS = { µs: 0.001, ms: 1 }
const ROW = /^\| (\d+) keys?: ([\w-]+), ([\w-]+) \| ([\d,]+) \| ([\d.]+) (µs|ms) \|$/gm

/**
 * The rows of the table of all systems.
 *
 * @param {string} readme bench/README.md
 * @returns {Figure[]}
 */
export function figuresIn(readme) {
  const [, table = ''] = readme.split(/<!-- bench:keys:(?:start|end) -->/)
  return Array.from(table.matchAll(ROW), ([, keys, system, form, bytes, time, unit]) => ({
    keys: Number(keys),
    system: String(system),
    form: String(form),
    bytes: Number(String(bytes).replaceAll(',', '')),
    ms: Number(time) * UNITS[/** @type {keyof typeof UNITS} */ (unit)],
  }))
}

/**
 * What the table says of how it came about: where, and in how many rounds if they were few.
 *
 * @param {string} readme
 */
function noteIn(readme) {
  const [, table = ''] = readme.split(/<!-- bench:keys:(?:start|end) -->/)
  const commit = /^Commit [^,]+/m.exec(table)?.[0] ?? ''
  const quick = /Quick: \d+ rounds\./.exec(table)?.[0]
  return quick === undefined ? `${commit}.` : `${commit}. ${quick}`
}

/**
 * The pictures of a table: their files, and what stands in them.
 *
 * @param {string} readme bench/README.md
 * @returns {readonly (readonly [file: string, svg: string])[]}
 */
export function plots(readme) {
  const figures = figuresIn(readme)
  const note = noteIn(readme)
  const counts = [...new Set(figures.map(({ keys }) => keys))]
  return counts.map((keys) => [`docs/public/plots/keys-${keys}.svg`, plot(figures, keys, note)])
}

/**
 * The picture: each system has a shape and a colour, each mark its name.
 *
 * @param {readonly Figure[]} all
 * @param {number} keys
 * @param {string} note
 * @returns {string} SVG
 */
function plot(all, keys, note) {
  const figures = all.filter((figure) => figure.keys === keys)
  const { x, y, marks } = layout(figures)
  // The same in all pictures.
  const systems = [...new Set(all.map(({ system }) => system))].sort()
  const title = `Proofs of ${keys === 1 ? 'one key' : `${keys} keys`}: time to verify against bytes`
  const lines = [
    ...x.ticks().map((value) => grid(x(value), undefined, isPower(value))),
    ...y.ticks().map((value) => grid(undefined, y(value), isPower(value))),
    ...x
      .ticks()
      .filter(isPower)
      .map((value) => text(x(value), PLOT.bottom + 18, bytesText(value), 'middle')),
    ...y
      .ticks()
      .filter(isPower)
      .map((value) => text(PLOT.left - 8, y(value) + 4, timeText(value), 'end')),
    text((PLOT.left + PLOT.right) / 2, HEIGHT - 10, 'bytes of the proof', 'middle'),
    text(PLOT.left, 22, title, 'start', 'title'),
    text(PLOT.right, PLOT.top - 6, `verifyProofFile, Node.js. ${note}`, 'end', 'note'),
    ...marks.map((mark) => drawn(mark, systems.indexOf(mark.figure.system))),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">
<title>${title}</title>
<style>${STYLE}</style>
<rect class="paper" width="${WIDTH}" height="${HEIGHT}"/>
${lines.join('\n')}
</svg>
`
}

const STYLE = [
  'text{font:12px system-ui,sans-serif;fill:#24292f}.title{font-size:14px;font-weight:600}.note{font-size:11px;fill:#57606a}',
  '.paper{fill:#fff}.grid{stroke:#eaeef2}.power{stroke:#afb8c1}.lead{stroke:#57606a}',
  ...COLOURS.map((colour, i) => `.s${i}{fill:${colour}}`),
  '@media(prefers-color-scheme:dark){text{fill:#e6edf3}.note{fill:#9198a1}.paper{fill:#0d1117}.grid{stroke:#21262d}.power{stroke:#484f58}.lead{stroke:#9198a1}}',
].join('')

/**
 * @param {Mark} mark
 * @param {number} which of the systems
 */
function drawn({ figure, label, x, y, box }, which) {
  const path = symbol(SHAPES[which % SHAPES.length], 72)()
  const tip = `${label}: ${figure.bytes.toLocaleString('en')} bytes, ${timeText(figure.ms)}`
  const at = `translate(${round(x)},${round(y)})`
  const shape = `<path class="s${which % COLOURS.length}" transform="${at}" d="${path}"><title>${tip}</title></path>`
  return [leader({ x, y }, box), shape, text(box.left, box.bottom - 3, label, 'start')].join('')
}

/**
 * A line from a mark to a label that could not stand beside it.
 *
 * @param {{ x: number, y: number }} mark
 * @param {Box} box
 */
function leader({ x, y }, box) {
  const to = nearest({ x, y }, box)
  if (Math.hypot(to.x - x, to.y - y) < 2 * MARK) return ''
  return `<line class="lead" x1="${round(x)}" y1="${round(y)}" x2="${round(to.x)}" y2="${round(to.y)}"/>`
}

/**
 * @param {number | undefined} x of a vertical line
 * @param {number | undefined} y of a horizontal one
 * @param {boolean} power
 */
function grid(x, y, power) {
  const [x1, x2] = x === undefined ? [PLOT.left, PLOT.right] : [x, x]
  const [y1, y2] = y === undefined ? [PLOT.top, PLOT.bottom] : [y, y]
  return `<line class="${power ? 'power' : 'grid'}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} words
 * @param {'start' | 'middle' | 'end'} anchor
 * @param {string} [kind]
 */
function text(x, y, words, anchor, kind) {
  const name = kind === undefined ? '' : ` class="${kind}"`
  return `<text${name} x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${words}</text>`
}

/** @param {number} value */
function isPower(value) {
  return Number.isInteger(Math.round(Math.log10(value) * 1e6) / 1e6)
}

/** @param {number} value */
function bytesText(value) {
  if (value >= 1e6) return `${value / 1e6} MB`
  return value >= 1000 ? `${value / 1000} kB` : `${value} B`
}

/** @param {number} ms */
function timeText(ms) {
  if (ms >= 1000) return `${ms / 1000} s`
  return ms < 1 ? `${round(ms * 1000)} µs` : `${ms} ms`
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10
}
