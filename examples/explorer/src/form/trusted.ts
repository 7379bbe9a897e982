/**
 * Asks which block somebody trusts before a file is checked: what the file says of that proves
 * nothing.
 */

import { printable } from 'lightproof/printable'
import { byId, element, whole } from '../parts/dom.js'
import type { Settings } from './settings.js'

/**
 * The settings with the block that the reader of a file trusts: theirs, if the file starts from it,
 * or what they say when asked.
 */
export function trustedFor(file: unknown, name: string, given: Settings): Promise<Settings> {
  const stated = hashIn(file)
  if (stated === undefined || stated === given.anchor) return Promise.resolve(given)
  const { anchor: _, ...proposed } = given.proposed
  return new Promise((resolve) => {
    ask(name, stated, (anchor) => {
      const isFiles = anchor === stated
      const by = isFiles ? { ...proposed, anchor: 'file' as const } : proposed
      resolve({ ...given, anchor, proposed: by })
    })
  })
}

function ask(name: string, stated: string, answer: (hash: string) => void): void {
  const take = element('button', '', 'I trust this block')
  take.type = 'button'
  take.id = 'trust-stated'
  const input = element('input', '')
  input.id = 'trusted-block'
  input.autocomplete = 'off'
  input.spellcheck = false
  input.placeholder = '0x…'
  const label = element('label', '', 'Or the block hash that you trust')
  label.htmlFor = input.id
  const other = element('button', 'quiet', 'Check against it')
  other.type = 'submit'
  const form = element(
    'form',
    'trusting',
    element('h2', '', whole(`${printable(name)} starts from this block`)),
    element('p', 'mono', stated),
    element(
      'p',
      'aside',
      'That is the file’s own word. Compare it with a source that you trust, such as your node or an explorer.',
    ),
    take,
    element('div', 'field', label, element('div', 'ask', input, other)),
  )
  take.addEventListener('click', () => answer(stated))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    answer(input.value.trim())
  })
  const result = byId('result', HTMLElement)
  result.dataset['state'] = 'asking'
  result.setAttribute('aria-busy', 'false')
  result.replaceChildren(element('div', 'card verdict', element('div', 'body', form)))
  take.focus()
}

/** The block that a file starts from, if it says so. */
function hashIn(file: unknown): string | undefined {
  const source = inside(file, 'source')
  const hash = inside(inside(source, 'header'), 'hash') ?? inside(file, 'checkpoint')
  return typeof hash === 'string' ? hash : undefined
}

function inside(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return (value as Record<string, unknown>)[name]
}
