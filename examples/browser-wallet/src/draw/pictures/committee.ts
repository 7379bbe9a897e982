/** A committee, and how many of it signed. */

import type { Participation } from 'lightproof'
import { picture, svg } from '../../parts/svg.js'

const PER_ROW = 32
const STEP = 12

/** The picture. Who signed is not told, only how many. */
export function committeePicture({ signed, of }: Participation): SVGElement {
  const dots = Array.from({ length: of }, (_, i) =>
    svg('circle', {
      class: i < signed ? 'signed' : 'silent',
      cx: (i % PER_ROW) * STEP + STEP / 2,
      cy: Math.floor(i / PER_ROW) * STEP + STEP / 2,
      r: 4,
    }),
  )
  const rows = Math.ceil(of / PER_ROW)
  const label = `${signed} of ${of} members of the committee signed`
  return picture(label, PER_ROW * STEP, rows * STEP, ...dots)
}
