/** Draws the trust report: on what grounds the page holds a fact, and what it does not know. */

import type { ProofFile, ProvedPart, Trust, UnprovedPart } from 'lightproof'
import type { Grounds } from './check.js'
import { element, icon } from './dom.js'
import { duration, grouped, milliseconds } from './format.js'

const proved: Readonly<Partial<Record<ProvedPart, string>>> = {
  header: 'The block’s header is the trusted one',
  account: 'All that the account holds in that block, balance and nonce included',
  balance: 'Its balance',
  nonce: 'Its nonce',
  code: 'Its code',
  storage: 'Its storage',
}

const notProved: Readonly<Record<UnprovedPart, string>> = {
  anchor: 'That the trusted block belongs to the chain: that is your word',
  recency: 'That nothing has changed since that block',
  chain: 'That the block belongs to a chain of this name',
}

/** The report of a proven fact, with the proof to save. */
export function report({ trust, ...grounds }: Grounds, file: ProofFile): HTMLElement {
  const { expected } = file
  const isAbsent =
    expected.result === 'valid' &&
    'account' in expected.fact &&
    expected.fact.account.status === 'absent'
  const words = isAbsent
    ? { ...proved, account: 'No account is at this address in that block' }
    : proved
  const bytes = element('span', '', `${grouped(grounds.proofBytes)} bytes`)
  bytes.id = 'proof-bytes'
  const time = milliseconds(grounds.verifyMilliseconds)
  const list = element(
    'dl',
    '',
    row('Block', ...blockLines(trust)),
    row('Trust starts at', ...anchorLines(trust)),
    row('Served by', element('p', 'mono', grounds.servedBy), aside('Not trusted.')),
    row(
      'Proved',
      marks(
        trust.proved.map((part) => words[part] ?? part),
        'yes',
      ),
    ),
    row(
      'Not proved',
      marks(
        trust.notProved.map((part) => notProved[part]),
        'no',
      ),
    ),
    row('Proof', element('p', '', bytes, `, checked in ${time}`), saveButton(file)),
  )
  const section = element('section', 'card report', element('h3', '', 'Why you can rely on this'))
  section.append(list)
  section.setAttribute('aria-label', 'Trust report')
  return section
}

function blockLines({ block, chain }: Trust): HTMLElement[] {
  return [
    element('p', '', `${grouped(block.number)} of ${chain.name}`),
    element('p', 'mono', block.hash ?? 'known by its state root only'),
  ]
}

function anchorLines({ anchor, finality }: Trust): HTMLElement[] {
  const relation =
    finality === 'pinned' ? 'This very block, which you chose' : 'A later block, which you chose'
  const age = anchor.ageSeconds === null ? '' : `, ${duration(Math.max(0, anchor.ageSeconds))} old`
  const lines = [element('p', '', `${relation}${age}`)]
  return finality === 'pinned' ? lines : [...lines, element('p', 'mono', anchor.hash)]
}

function saveButton(file: ProofFile): HTMLElement {
  const button = element('button', 'quiet', 'Save the proof')
  button.type = 'button'
  button.id = 'save'
  button.addEventListener('click', () => {
    const text = `${JSON.stringify(file, null, 2)}\n`
    const link = element('a', '')
    link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
    link.download = 'proof.json'
    link.click()
    URL.revokeObjectURL(link.href)
  })
  return button
}

function row(term: string, ...details: readonly HTMLElement[]): HTMLElement {
  return element('div', '', element('dt', '', term), element('dd', '', ...details))
}

function aside(text: string): HTMLElement {
  return element('p', 'aside', text)
}

function marks(lines: readonly string[], kind: 'yes' | 'no'): HTMLElement {
  const items = lines.map((line) => element('li', kind, icon(kind), element('span', '', line)))
  return element('ul', 'marks', ...items)
}
