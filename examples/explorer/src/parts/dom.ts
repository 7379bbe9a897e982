/**
 * A few lines that make elements from text, never from markup: what a node says is shown, not run.
 * Nor does any text hide, reorder, break or drown what stands beside it.
 */

import { escaped, printable } from 'lightproof/printable'

type Child = Node | string

/** An element with a class and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  if (className !== '') made.className = className
  made.append(...children.map(shown))
  return made
}

/** A child as it is put on the page: whoever wrote a text, 200 characters of it are shown. */
export function shown(child: Child): Child {
  return typeof child === 'string' ? printable(child) : child
}

/**
 * Text that may be longer: the page’s own words, or an error’s message, in which what strangers
 * wrote was cut before.
 */
export function whole(text: string): Text {
  return document.createTextNode(escaped(text))
}

/** One of the page's icons. It repeats what the words beside it say, so screen readers skip it. */
export function icon(name: string): SVGElement {
  const namespace = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(namespace, 'svg')
  svg.setAttribute('aria-hidden', 'true')
  const use = document.createElementNS(namespace, 'use')
  use.setAttribute('href', `#icon-${name}`)
  svg.append(use)
  return svg
}

/** The page's element with this id. */
export function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`the page has no #${id}`)
  return found
}
