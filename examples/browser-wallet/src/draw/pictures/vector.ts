/** The whole vector of balances row by row, with the positions that one proof opens. */

import { grouped } from '../../parts/format.js'
import { picture, svg } from '../../parts/svg.js'

/** The picture. */
export function vectorPicture(positions: readonly number[], size: number): SVGElement {
  // Four times as wide as high.
  const side = Math.ceil(2 * Math.sqrt(size))
  const rows = Math.ceil(size / side)
  const label = `A vector of ${grouped(size)} values with ${grouped(positions.length)} of them opened`
  return picture(
    label,
    side * 4,
    rows * 4,
    svg('rect', { class: 'field', x: 0, y: 0, width: side * 4, height: rows * 4 }),
    ...positions.map((position) =>
      svg('rect', {
        class: 'opened',
        x: (position % side) * 4,
        y: Math.floor(position / side) * 4,
        width: 4,
        height: 4,
      }),
    ),
  )
}
