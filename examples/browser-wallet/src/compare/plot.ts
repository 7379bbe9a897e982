/** The measurements as a plot: bytes of a proof against the time of its check, both by powers of ten. */

import { titleOf } from '../form/systems.js'
import { grouped } from '../parts/format.js'
import { picture, svg } from '../parts/svg.js'
import type { Measured } from './measure.js'

const WIDTH = 380
const HEIGHT = 250
const LEFT = 52
const RIGHT = 12
const TOP = 14
const BOTTOM = 40
const RADIUS = 5
/** Height of a name, so that names of neighbours do not lie on each other. */
const LINE = 14
/** About how wide a letter of a name is. */
const LETTER = 7

/** From powers of ten to places. */
interface Axis {
  readonly ticks: readonly number[]
  readonly place: (value: number) => number
}

/** The plot of what was measured, at least one proof. */
export function plotOf(measured: readonly Measured[]): SVGElement {
  const across = axisOf(
    measured.map(({ bytes }) => bytes),
    LEFT,
    WIDTH - RIGHT,
  )
  // Browsers round their clocks: a time of zero stands at the least that they tell.
  const time = ({ milliseconds }: Measured): number => Math.max(milliseconds, 0.001)
  const up = axisOf(measured.map(time), HEIGHT - BOTTOM, TOP)
  const dots = measured.map((row) => ({ row, x: across.place(row.bytes), y: up.place(time(row)) }))
  const spoken = measured.map(
    ({ system, bytes, milliseconds }) =>
      `${titleOf(system)} ${grouped(bytes)} bytes and ${milliseconds.toFixed(2)} ms`,
  )
  return picture(
    `Bytes of a proof against the time of its check: ${spoken.join(', ')}`,
    WIDTH,
    HEIGHT,
    ...across.ticks.flatMap((tick) => {
      const x = across.place(tick)
      return [
        svg('line', { class: 'axis', x1: x, x2: x, y1: TOP, y2: HEIGHT - BOTTOM }),
        text(grouped(tick), x, HEIGHT - BOTTOM + 16, 'middle'),
      ]
    }),
    ...up.ticks.flatMap((tick) => {
      const y = up.place(tick)
      return [
        svg('line', { class: 'axis', x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y }),
        text(`${tick} ms`, LEFT - 6, y + 4, 'end'),
      ]
    }),
    text('bytes of the proof', (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, 'middle'),
    ...dots.map(({ x, y }) => svg('circle', { class: 'dot', cx: x, cy: y, r: RADIUS })),
    ...namesOf(dots),
  )
}

/** Powers of ten from below the least value to above the greatest. */
function axisOf(values: readonly number[], from: number, to: number): Axis {
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))))
  const ticks = Array.from({ length: high - low + 1 }, (_, at) => Number(`1e${low + at}`))
  const place = (value: number) => from + ((Math.log10(value) - low) / (high - low)) * (to - from)
  return { ticks, place }
}

interface Dot {
  readonly row: Measured
  readonly x: number
  readonly y: number
}

/** Names beside their dots, from the top down; one that would lie on another is moved below it. */
function namesOf(dots: readonly Dot[]): SVGElement[] {
  const taken: { readonly from: number; readonly to: number; readonly y: number }[] = []
  const made: SVGElement[] = []
  for (const { row, x, y } of [...dots].sort((a, b) => a.y - b.y)) {
    const name = titleOf(row.system)
    const width = name.length * LETTER
    const isLeft = x + RADIUS + 4 + width > WIDTH - RIGHT
    const start = isLeft ? x - RADIUS - 4 : x + RADIUS + 4
    const [from, to] = isLeft ? [start - width, start] : [start, start + width]
    let line = y + 4
    for (const other of taken) {
      const meets = from < other.to && other.from < to && Math.abs(line - other.y) < LINE
      if (meets) line = other.y + LINE
    }
    taken.push({ from, to, y: line })
    made.push(text(name, start, line, isLeft ? 'end' : 'start', 'name'))
  }
  return made
}

function text(
  words: string,
  x: number,
  y: number,
  anchor: 'start' | 'middle' | 'end',
  kind = '',
): SVGElement {
  return svg('text', { class: kind, x, y, 'text-anchor': anchor }, words)
}
