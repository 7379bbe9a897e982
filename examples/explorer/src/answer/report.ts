/** Draws the trust report: on what grounds the page holds a fact, and what it does not know. */

import type { ProvedPart, Trust, UnprovedPart } from 'lightproof'
import { printable } from 'lightproof/printable'
import type { Proof } from '../check/check.js'
import { namesOf } from '../form/proposal.js'
import type { Proposer, Settings } from '../form/settings.js'
import { titleOf } from '../form/systems.js'
import { element, icon, whole } from '../parts/dom.js'
import { duration, grouped, milliseconds } from '../parts/format.js'

const proved: Readonly<Partial<Record<ProvedPart, string>>> = {
  header: 'The block’s header is the trusted one',
  account: 'All that the account holds in that block, balance and nonce included',
  balance: 'Its balance',
  nonce: 'Its nonce',
  code: 'Its code',
  storage: 'Its storage',
  value: 'The value, or that there is none',
  history: 'Every version in the range, and that none is left out',
  call: 'What the call comes to: each account, slot and code that it read',
}

const notProved: Readonly<Record<UnprovedPart, string>> = {
  anchor: 'That what you trust belongs to the chain: that is your word',
  recency: 'That nothing has changed since that block',
  overrides: 'That the state is what it was changed to for this answer',
  chain: 'That the block belongs to a chain of this name',
  node: 'Anything, if the node that is trusted for its blocks lies',
}

/** Who says that trust starts where it does. */
const chosenBy: Readonly<Record<Proposer | 'user', string>> = {
  user: 'which you chose',
  link: 'which a link proposed, and you confirmed',
  file: 'which the file names, and you confirmed',
}

/** What the report is about. */
type Reported = Pick<Proof, 'state' | 'system' | 'asked' | 'grounds'> & { readonly file: object }

/** The report of a proven fact, with the proof to save. */
export function report({ state, system, asked, grounds, file }: Reported): HTMLElement {
  const { trust } = grounds
  const words = {
    ...proved,
    ...(state === 'absent' ? { account: 'No account is at this address in that block' } : {}),
    ...(trust.participation === undefined
      ? {}
      : { header: 'The block’s header is one that the committee signed' }),
  }
  const bytes = element('span', '', `${grouped(grounds.proofBytes)} bytes`)
  bytes.id = 'proof-bytes'
  const time = milliseconds(grounds.verifyMilliseconds)
  const list = element(
    'dl',
    '',
    row('Block', ...blockLines(trust)),
    row('Trust starts at', ...anchorLines(trust, asked), ...linkLines(asked)),
    ...signedRows(trust),
    ...followedRows(trust),
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
    row(
      'Proof',
      element('p', '', bytes, `, checked in ${time}`),
      ...systemLines(system, trust),
      saveButton(file),
    ),
  )
  const section = element('section', 'card report', element('h3', '', 'Why you can rely on this'))
  section.append(list)
  section.setAttribute('aria-label', 'Trust report')
  return section
}

function blockLines({ block, chain }: Trust): HTMLElement[] {
  const age = block.ageSeconds === null ? '' : `, ${duration(block.ageSeconds)} old`
  return [
    element('p', '', whole(`${grouped(block.number)} of ${printable(chain.name)}${age}`)),
    element('p', 'mono', block.hash ?? 'known by its state root only'),
  ]
}

function anchorLines({ anchor, finality }: Trust, { proposed }: Settings): HTMLElement[] {
  const who = chosenBy[proposed.anchor ?? 'user']
  if (anchor.kind === 'checkpoint') {
    const age = anchor.ageSeconds === null ? '' : `, ${duration(anchor.ageSeconds)} old`
    return [element('p', '', `A checkpoint, ${who}${age}`), element('p', 'mono', anchor.hash)]
  }
  const block = finality === 'pinned' ? 'This very block' : 'A later block'
  const lines = [element('p', '', `${block}, ${who}`)]
  return finality === 'pinned' ? lines : [...lines, element('p', 'mono', anchor.hash)]
}

/** All that a link had a part in. */
function linkLines(asked: Settings): HTMLElement[] {
  const names = namesOf(asked)
  if (names.length === 0) return []
  const line = aside(`Of the link that you confirmed: ${names.join(', ').toLowerCase()}.`)
  line.id = 'of-link'
  return [line]
}

/** Who signed, and how old the newest of it is: only where signatures were checked. */
function signedRows({
  anchor,
  attestedBy,
  finality,
  participation,
  headLagSeconds,
}: Trust): HTMLElement[] {
  if (anchor.kind !== 'checkpoint') return []
  const members = attestedBy === undefined ? 'members of its committee' : 'operators'
  const who =
    participation === undefined
      ? 'Nobody: it is the checkpoint itself'
      : `${participation.signed} of ${participation.of} ${members}`
  const signed = element('p', '', who)
  signed.id = 'signed'
  const lag = headLagSeconds === null ? '' : `${duration(headLagSeconds)} behind this clock`
  const newest = element('p', '', lag)
  newest.id = 'lag'
  const young =
    finality === 'head'
      ? [aside('Signed, but not final yet: the chain could still drop it.')]
      : finality === 'forced'
        ? [aside('Signed, but never final: the client was told to go on without.')]
        : []
  return [row('Signed by', signed, ...young), row('Newest header', newest)]
}

/** What an answer of a chain that follows Ethereum was compared with; only where it was. */
function followedRows({ origin, originState, crossChecked = 0 }: Trust): HTMLElement[] {
  if (origin === undefined) return []
  const state =
    originState === 'equal'
      ? 'Its state root is that of its origin.'
      : 'It commits to no state root to compare with its origin’s.'
  const values =
    crossChecked === 0
      ? 'No value was proven a second time there.'
      : `${grouped(crossChecked)} of its values proven a second time there.`
  const line = element('p', '', 'Proven: the block’s origin is one that you trust')
  return [row('Follows Ethereum', line, aside(state), aside(values))]
}

/** By which system, and whether somebody could forge it. */
function systemLines(system: string, { variant, setup }: Trust): HTMLElement[] {
  const shape = variant === 'plain' ? '' : `, ${variant}`
  const line = aside(`${titleOf(system)}${shape}`)
  if (setup?.insecure !== true) return [line]
  const warning = 'INSECURE setup: its secret is known, as a test chain’s is.'
  return [line, element('p', 'warning', warning)]
}

function saveButton(file: object): HTMLElement {
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
  return element('p', 'aside', whole(text))
}

function marks(lines: readonly string[], kind: 'yes' | 'no'): HTMLElement {
  const items = lines.map((line) => element('li', kind, icon(kind), element('span', '', line)))
  return element('ul', 'marks', ...items)
}
