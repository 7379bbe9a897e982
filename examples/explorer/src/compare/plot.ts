/**
 * The measurements as a plot: bytes of a proof against the time of its check, both by powers of
 * ten.
 */

import { titleOf } from '../form/systems.js'
import { grouped } from '../parts/format.js'
import { picture, svg } from '../parts/svg.js'
import type { Measured } from './measure.js'

const WIDTH = 380
const HEIGHT = 250
const LEFT = 62
const RIGHT = 30
const TOP = 14
const BOTTOM = 40
const RADIUS = 5
/** Between a dot and its name. */
const GAP = RADIUS + 4
/** About how high and wide a letter of a name is. */
const LINE = 14
const LETTER = 8

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

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Names beside, above or below their dots: the first place that lies on no dot and no name. */
function namesOf(dots: readonly Dot[]): SVGElement[] {
  const taken: Box[] = dots.map(({ x, y }) => boxOf(x, y, 2 * RADIUS, 2 * RADIUS))
  taken.push(...WALLS)
  return dots.map(({ row, x, y }, at) => {
    const name = titleOf(row.system)
    const width = name.length * LETTER
    const right = { middle: x + GAP + width / 2, line: y, from: x + GAP, anchor: 'start' } as const
    const left = { middle: x - GAP - width / 2, line: y, from: x - GAP, anchor: 'end' } as const
    const above = { middle: x, line: y - LINE, from: x, anchor: 'middle' } as const
    const below = { ...above, line: y + LINE }
    const others = taken.filter((_, other) => other !== at)
    const isFree = ({ middle, line }: { middle: number; line: number }): boolean =>
      !others.some((other) => meet(boxOf(middle, line, width, LINE), other))
    const { middle, line, from, anchor } = [right, left, above, below].find(isFree) ?? right
    taken.push(boxOf(middle, line, width, LINE))
    return text(name, from, line + 4, anchor, 'name')
  })
}

/** What no name reaches into. */
const WALLS: readonly Box[] = [
  { left: WIDTH, right: Number.POSITIVE_INFINITY, top: 0, bottom: HEIGHT },
  { left: Number.NEGATIVE_INFINITY, right: LEFT, top: 0, bottom: HEIGHT },
]

function boxOf(x: number, y: number, width: number, height: number): Box {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 }
}

function meet(one: Box, other: Box): boolean {
  const isBeside = one.right <= other.left || other.right <= one.left
  return !isBeside && one.top < other.bottom && other.top < one.bottom
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
