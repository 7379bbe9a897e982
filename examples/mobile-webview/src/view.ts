/**
 * Draws a result of the light client at phone width. Text only, never markup: what a node says is
 * shown, not run.
 */

import type { Account, Result, Trust, UnprovedPart } from 'lightproof/inline'
import { escaped, printable } from 'lightproof/printable'

const notProved: Readonly<Record<UnprovedPart, string>> = {
  anchor: 'that the block where trust starts belongs to the chain',
  recency: 'that nothing has changed since',
  chain: 'that the block belongs to a chain of this name',
  node: 'anything, if the node that is trusted for its blocks lies',
  overrides: 'that the state is what it was changed to for this answer',
}

type Row = readonly [term: string, text: string, className?: string]

/**
 * Shows what is known about an account, or why nothing is. `origin` tells who says where trust
 * starts.
 */
export function showResult(address: string, result: Result<Account, null>, origin: string): void {
  switch (result.status) {
    case 'present':
      show('present', '✓', 'Proven', [
        ['Balance', `${ether(result.value.balance)} ETH`, 'big'],
        ['Nonce', result.value.nonce.toString()],
        ['Account', address, 'mono'],
        ...grounds(result.trust, origin),
      ])
      return
    case 'absent':
      show('absent', '∅', 'Proven absent', [
        ['Balance', '0 ETH', 'big'],
        ['Address', address, 'mono'],
        ...grounds(result.trust, origin),
      ])
      return
    case 'invalid':
      show('invalid', '✕', 'The node’s answer is false', [
        ['Nothing is shown, for nothing was proven', result.error.message],
        ['Error code', result.error.code, 'mono'],
        ['Do not rely on', result.error.node ?? 'the node'],
      ])
      return
    case 'unavailable':
      show('unavailable', '!', 'No answer that could be checked', [
        ['Nothing was proven, and nothing was found to be false', result.error.message],
        ['Error code', result.error.code, 'mono'],
      ])
  }
}

/** Shows that this webview cannot check anything, or that the shell configured it wrongly. */
export function showFault(title: string, error: { code: string; message: string }): void {
  show('unavailable', '!', title, [
    ['Reason', error.message],
    ['Error code', error.code, 'mono'],
  ])
}

/** Shows what a link proposes, and lets the user decide. */
export function showProposal(
  settings: readonly (readonly [name: string, value: string])[],
  { onUse, onDrop }: { readonly onUse: () => void; readonly onDrop: () => void },
): void {
  show('proposed', '!', 'A link proposes what to trust', [
    [
      'None of it is used yet',
      'Whoever chose the hash and the nodes below decides what this page calls proven. Only go on if ' +
        'you trust who gave you this link.',
    ],
    ...settings.map(([name, value]) => [name, printable(value), 'mono'] as const),
  ])
  const buttons = made(
    'div',
    button('use-link', 'Use what the link proposes', onUse),
    button('drop-link', 'Drop it', onDrop),
  )
  buttons.className = 'decision'
  resultElement().firstElementChild?.append(buttons)
}

function button(id: string, text: string, onClick: () => void): HTMLButtonElement {
  const button = made('button', text)
  button.type = 'button'
  button.id = id
  button.addEventListener('click', onClick)
  return button
}

/** Clears the result. */
export function showNothing(): void {
  resultElement().dataset['state'] = 'idle'
  resultElement().replaceChildren()
}

function grounds(trust: Trust, origin: string): Row[] {
  return [
    ['Where trust starts', origin],
    [`Block ${trust.block.number}`, trust.block.hash ?? 'known by its state root only', 'mono'],
    ['Its age', trust.block.ageSeconds === null ? 'unknown' : `${trust.block.ageSeconds} s`],
    ...signatures(trust),
    ['Served by, not trusted', trust.servedBy],
    ['Not proved', trust.notProved.map((part) => notProved[part]).join('; ')],
  ]
}

function signatures({ anchor, participation, headLagSeconds }: Trust): Row[] {
  if (anchor.kind !== 'checkpoint') return []
  const who =
    participation === undefined ? 'nobody' : `${participation.signed} of ${participation.of}`
  const lag =
    headLagSeconds === null ? '' : `; the newest header is ${headLagSeconds} s behind this clock`
  const age = anchor.ageSeconds === null ? '' : `, ${anchor.ageSeconds} s old`
  return [
    ['Signed by', `${who} of its committee${lag}`],
    ['Since the checkpoint', `${anchor.hash}${age}`, 'mono'],
  ]
}

function show(state: string, mark: string, title: string, rows: readonly Row[]): void {
  const symbol = made('span', mark)
  symbol.setAttribute('aria-hidden', 'true')
  const heading = made('h2', symbol, title)
  const list = made('dl')
  for (const [term, text, className] of rows) {
    const detail = made('dd', escaped(text))
    if (className !== undefined) detail.className = className
    list.append(made('div', made('dt', printable(term)), detail))
  }
  const card = made('div', heading, list)
  card.className = 'card'
  resultElement().dataset['state'] = state
  resultElement().replaceChildren(card)
}

function resultElement(): HTMLElement {
  const found = document.getElementById('result')
  if (found === null) throw new Error('the page has no #result')
  return found
}

function made<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  element.append(...children)
  return element
}

function ether(wei: bigint): string {
  const digits = wei.toString().padStart(19, '0')
  const whole = digits.slice(0, -18).replace(/\B(?=(\d{3})+$)/g, ',')
  const fraction = digits.slice(-18).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
