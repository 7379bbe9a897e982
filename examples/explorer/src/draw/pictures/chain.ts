/** The headers of a chain in a row: a ring each, closed as far as the committee signed. */

import { leading, picture, svg } from '../../parts/svg.js'
import type { Link } from '../headers.js'

const WIDTH = 640
const EDGE = 56
const RADIUS = 15
const HEIGHT = 84
/** More would run into each other: those in the middle are left out. */
const MOST = 5

/** The picture. */
export function chainPicture(links: readonly Link[], onLink: (link: Link) => void): SVGElement {
  const shown = links.length <= MOST ? links : [...links.slice(0, 2), undefined, ...links.slice(-2)]
  const step = shown.length < 2 ? 0 : (WIDTH - 2 * EDGE) / (shown.length - 1)
  const label = `${links.length} headers, from ${links[0]?.label ?? ''} to ${links.at(-1)?.label ?? ''}`
  const ways = shown.slice(1).map((_, i) => {
    const from = EDGE + i * step + RADIUS + 6
    const to = EDGE + (i + 1) * step - RADIUS - 6
    const head = `M${to - 5} ${RADIUS + 3}l5 5-5 5`
    return svg('path', { class: 'way', d: `M${from} ${RADIUS + 8}H${to}${head}` })
  })
  const rings = shown.flatMap((link, i) => ring(link, EDGE + i * step, onLink))
  return picture(label, WIDTH, HEIGHT, ...ways, ...rings)
}

function ring(link: Link | undefined, x: number, onLink: (link: Link) => void): SVGElement[] {
  const y = RADIUS + 8
  if (link === undefined) return [svg('text', { x, y: y + 4, 'text-anchor': 'middle' }, '…')]
  const { signers, isBroken, label } = link
  const share =
    signers === undefined ? 100 : (100 * signers.filter((has) => has).length) / signers.length
  const place = { cx: x, cy: y, r: RADIUS, pathLength: 100 }
  const name = svg('title', {}, link.card.title)
  const back = leading(svg('circle', { class: 'ring', ...place }, name), link, onLink)
  const front = svg('circle', {
    class: isBroken ? 'share broken' : 'share',
    'stroke-dasharray': `${share} 100`,
    // From the top, clockwise.
    transform: `rotate(-90 ${x} ${y})`,
    ...place,
  })
  const mark = isBroken
    ? svg('path', { class: 'share broken', d: `M${x - 5} ${y - 5}l10 10m0-10-10 10` })
    : svg('path', { class: 'share', d: `m${x - 5} ${y}l3.5 3.5 6.5-7` })
  const count = signers === undefined ? link.origin : `${Math.round(share)} % signed`
  return [
    back,
    front,
    mark,
    svg('text', { x, y: y + 36, 'text-anchor': 'middle' }, label),
    svg('text', { class: 'number', x, y: y + 52, 'text-anchor': 'middle' }, count),
  ]
}
