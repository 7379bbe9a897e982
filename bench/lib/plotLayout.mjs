/** Where marks and their names stand in a picture of time against bytes, both by powers of ten. */

import { scaleLog } from 'd3-scale'

/**
 * A row of the table.
 *
 * @typedef {object} Figure
 * @property {number} keys that the proof is about
 * @property {string} system
 * @property {string} form
 * @property {number} bytes
 * @property {number} ms
 */

/**
 * A rectangle, in pixels of the picture.
 *
 * @typedef {object} Box
 * @property {number} left
 * @property {number} top
 * @property {number} right
 * @property {number} bottom
 */

/**
 * A row, in its place.
 *
 * @typedef {object} Mark
 * @property {Figure} figure
 * @property {string} label
 * @property {number} x of its middle
 * @property {number} y
 * @property {Box} box of the label
 */

/** Pixels of a picture, and of the plot in it. */
export const [WIDTH, HEIGHT] = [720, 460]
export const PLOT = { left: 62, top: 44, right: WIDTH - 20, bottom: HEIGHT - 48 }
/** From the middle of a mark to its edge. */
export const MARK = 7
/** Between the outermost values and the frame, as a factor. */
const ROOM = 1.8
/** Of text of 12 pixels: a letter's width in most fonts, and a line's height. */
const [LETTER, LINE] = [6.6, 14]

/**
 * Where everything stands; no label is over another one, or over a mark.
 *
 * @param {readonly Figure[]} figures of one number of keys
 */
export function layout(figures) {
  const x = scaleOf(
    figures.map(({ bytes }) => bytes),
    [PLOT.left, PLOT.right],
  )
  const y = scaleOf(
    figures.map(({ ms }) => ms),
    [PLOT.bottom, PLOT.top],
  )
  const places = figures.map((figure) => ({ figure, x: x(figure.bytes), y: y(figure.ms) }))
  // A label may take the only free place of a later one. So each is placed first once, and the
  // layout with the shortest lines is taken.
  const tries = places.map((_, first) => {
    const labels = labelled([...places.slice(first), ...places.slice(0, first)])
    return places.flatMap((place) => labels.get(place) ?? [])
  })
  const whole = tries.filter((marks) => marks.length === places.length)
  whole.sort((a, b) => lengthOf(a) - lengthOf(b))
  const [marks] = whole
  if (marks === undefined) throw new Error('no room for a label')
  return { x, y, marks }
}

/**
 * The total length of the lines from marks to their labels.
 *
 * @param {readonly Mark[]} marks
 */
function lengthOf(marks) {
  const lengths = marks.map((mark) => {
    const { x, y } = nearest(mark, mark.box)
    return Math.hypot(x - mark.x, y - mark.y)
  })
  return lengths.reduce((sum, length) => sum + length, 0)
}

/**
 * Marks with labels, in the order in which these are placed, up to the first that finds no room.
 *
 * @param {readonly Omit<Mark, 'label' | 'box'>[]} places
 */
function labelled(places) {
  const taken = places.map((place) => around(place, MARK))
  /** @type {Box[]} */
  const labels = []
  /** @type {Box[]} */
  const lines = []
  /** @type {Map<object, Mark>} */
  const marks = new Map()
  for (const place of places) {
    const { system, form } = place.figure
    const isOnly = places.every((one) => one.figure.system !== system || one === place)
    const label = isOnly ? system : `${system} ${form}`
    const box = freeBox(place, label.length * LETTER, [...taken, ...lines], labels)
    if (box === undefined) break
    taken.push(box)
    labels.push(box)
    lines.push(lineBox(place, box))
    marks.set(place, { ...place, label, box })
  }
  return marks
}

/**
 * Powers of ten at equal distances, with some room beside the outermost values.
 *
 * @param {readonly number[]} values
 * @param {[number, number]} range
 */
function scaleOf(values, range) {
  return scaleLog([Math.min(...values) / ROOM, Math.max(...values) * ROOM], range)
}

/**
 * @param {{ x: number, y: number }} place
 * @param {number} by
 * @returns {Box}
 */
function around({ x, y }, by) {
  return { left: x - by, top: y - by, right: x + by, bottom: y + by }
}

/**
 * The nearest place for a label that is free: beside, above or below the mark, else further away.
 *
 * @param {{ x: number, y: number }} place
 * @param {number} width
 * @param {readonly Box[]} taken
 * @param {readonly Box[]} labels that no line to this one may cross
 * @returns {Box | undefined}
 */
function freeBox({ x, y }, width, taken, labels) {
  for (let away = MARK + 3; away < WIDTH; away += 4) {
    for (const [dx, dy] of SIDES) {
      const middle = { x: x + dx * (away + width / 2), y: y + dy * (away + LINE / 2) }
      const box = {
        left: middle.x - width / 2,
        top: middle.y - LINE / 2,
        right: middle.x + width / 2,
        bottom: middle.y + LINE / 2,
      }
      const line = lineBox({ x, y }, box)
      const isFree =
        !taken.some((other) => overlap(box, other)) && !labels.some((other) => overlap(line, other))
      if (isInside(box) && isFree) return box
    }
  }
  return undefined
}

/** Right first, as one reads. */
const SIDES = /** @type {const} */ ([
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
  [0.6, -1],
  [0.6, 1],
  [-0.6, -1],
  [-0.6, 1],
  [1, -0.5],
  [1, 0.5],
  [-1, -0.5],
  [-1, 0.5],
  [1, -1],
  [1, 1],
  [-1, -1],
  [-1, 1],
  [0.2, -1],
  [0.2, 1],
  [-0.2, -1],
  [-0.2, 1],
])

/** @param {Box} box */
function isInside({ left, top, right, bottom }) {
  return left > PLOT.left && right < PLOT.right && top > PLOT.top && bottom < PLOT.bottom
}

/**
 * @param {Box} a
 * @param {Box} b
 */
export function overlap(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

/**
 * The point of a box that is nearest to a mark.
 *
 * @param {{ x: number, y: number }} mark
 * @param {Box} box
 */
export function nearest({ x, y }, { left, top, right, bottom }) {
  return { x: Math.min(Math.max(x, left), right), y: Math.min(Math.max(y, top), bottom) }
}

/**
 * What the line from a mark to its label takes.
 *
 * @param {{ x: number, y: number }} mark
 * @param {Box} label
 * @returns {Box}
 */
function lineBox(mark, label) {
  const to = nearest(mark, label)
  return {
    left: Math.min(mark.x, to.x) - 1,
    top: Math.min(mark.y, to.y) - 1,
    right: Math.max(mark.x, to.x) + 1,
    bottom: Math.max(mark.y, to.y) + 1,
  }
}
