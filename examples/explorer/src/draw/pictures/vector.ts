/** The whole vector of balances row by row, with the positions that one proof opens. */

import type { Step } from 'lightproof/trace'
import { grouped } from '../../parts/format.js'
import { leading, picture, svg } from '../../parts/svg.js'

/** An opened position, and the step that speaks of it, if one does. */
export interface Opened {
  readonly position: number
  readonly step: Step | undefined
}

/** The picture. */
export function vectorPicture(
  opened: readonly Opened[],
  size: number,
  onStep: (step: Step) => void,
): SVGElement {
  // Four times as wide as high.
  const side = Math.ceil(2 * Math.sqrt(size))
  const rows = Math.ceil(size / side)
  const label = `A vector of ${grouped(size)} values with ${grouped(opened.length)} of them opened`
  return picture(
    label,
    side * 4,
    rows * 4,
    svg('rect', { class: 'field', x: 0, y: 0, width: side * 4, height: rows * 4 }),
    ...opened.map(({ position, step }) => {
      const [x, y] = [(position % side) * 4, Math.floor(position / side) * 4]
      const title = svg('title', {}, `Position ${grouped(position)}`)
      const cell = svg('rect', { class: 'opened', x, y, width: 4, height: 4 }, title)
      return step === undefined ? cell : leading(cell, step, onStep)
    }),
  )
}
