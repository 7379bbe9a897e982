/** SVG elements, made as the page's other elements are: from values, never from markup. */

import { escaped } from 'lightproof/printable'
import { shown } from './dom.js'

type Attributes = Readonly<Record<string, string | number>>

/** An SVG element. */
export function svg(
  name: string,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  made.append(...children.map(shown))
  return made
}

/** A picture with a name for those who do not see it. */
export function picture(
  label: string,
  width: number,
  height: number,
  ...children: readonly Node[]
): SVGElement {
  const viewBox = `0 0 ${width} ${height}`
  return svg(
    'svg',
    { class: 'picture', viewBox, role: 'img', 'aria-label': escaped(label) },
    ...children,
  )
}

/**
 * Makes what is drawn lead to `target` when it is clicked; for the keyboard the same stands in a
 * list beside the picture.
 */
export function leading<T>(
  drawn: SVGElement,
  target: T,
  onChoose: (target: T) => void,
): SVGElement {
  drawn.classList.add('leads')
  drawn.addEventListener('click', () => onChoose(target))
  return drawn
}
