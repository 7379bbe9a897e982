/** A committee: a dot for each member, filled for those who signed. */

import { picture, svg } from '../../parts/svg.js'

const STEP = 12

/** The picture. */
export function committeePicture(signers: readonly boolean[]): SVGElement {
  const perRow = signers.length > 64 ? 64 : 32
  const dots = signers.map((has, i) =>
    svg('circle', {
      class: has ? 'signed' : 'silent',
      cx: (i % perRow) * STEP + STEP / 2,
      cy: Math.floor(i / perRow) * STEP + STEP / 2,
      r: 4,
    }),
  )
  const rows = Math.ceil(signers.length / perRow)
  const count = signers.filter((has) => has).length
  const label = `${count} of ${signers.length} members of the committee signed`
  return picture(label, perRow * STEP, rows * STEP, ...dots)
}
