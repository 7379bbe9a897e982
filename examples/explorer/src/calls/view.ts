/** Draws a call: its outcome, what it read with the proofs, and what comes of one left out. */

import type { Account } from 'lightproof'
import type { CallFile, CallFileResult } from 'lightproof/evm'
import { printable } from 'lightproof/printable'
import { report } from '../answer/report.js'
import { banner, card, columns, showOutcome } from '../answer/view.js'
import type { Drawn, Grounds } from '../check/check.js'
import { bytesOf } from '../draw/rlp.js'
import { readNode } from '../draw/trieNode.js'
import type { Settings } from '../form/settings.js'
import { element, whole } from '../parts/dom.js'
import { amount, grouped, shortHex, word } from '../parts/format.js'
import { isInside, without } from './omit.js'
import type { Read } from './reads.js'

type Ran = Extract<CallFileResult, { status: 'success' | 'reverted' }>

/** A proven outcome of a call. */
export interface Answer {
  readonly asked: Settings
  readonly file: CallFile
  readonly result: Ran
  readonly reads: readonly Read[]
  readonly grounds: Grounds
  /** Runs a file's call again. */
  readonly run: (file: CallFile) => Promise<CallFileResult>
}

/** The answer on the page. */
export function drawn(answer: Answer): Drawn {
  const { asked, file, grounds } = answer
  const about = report({ state: 'present', system: 'mpt', asked, grounds, file })
  const first = columns(outcomeCard(answer.result), about)
  return { state: 'drawn', as: 'present', parts: [first, readsCard(answer)] }
}

function outcomeCard(result: Ran): HTMLElement {
  if (result.status === 'reverted') {
    const { code, data, message } = result.error
    const head = banner(
      'present',
      'Proven: it fails',
      'So it ends on every node that keeps the rules.',
    )
    return card(
      head,
      part('Why', element('p', 'mono', message)),
      part('Error code', element('p', 'code', code)),
      part('Returned', mono(data)),
    )
  }
  const { output, gasUsed, logs } = result.value
  const head = banner('present', 'Proven', 'This answer follows from what you trust.')
  const isWord = output.length === 66
  const figure = element('p', 'amount long', isWord ? word(BigInt(output)) : shortHex(output))
  figure.id = 'output'
  const gas = element('p', 'figure', grouped(gasUsed))
  return card(
    head,
    element(
      'div',
      'parts',
      part('Answer', figure, mono(output)),
      part('Gas', gas),
      ...(logs.length === 0 ? [] : [part('Logs', element('p', 'figure', grouped(logs.length)))]),
    ),
  )
}

function readsCard(answer: Answer): HTMLElement {
  const { reads } = answer
  const list = element('ol', 'reads', ...reads.map((read) => readRow(answer, read)))
  const slots = reads.filter(({ kind }) => kind === 'slot').length
  const text =
    `${count(reads.length, 'item')}, ${count(slots, 'storage slot')} among them. ` +
    'Each is proven under the block’s state root; what is not proven does not exist for the call.'
  const section = element('section', 'card lies', element('h3', '', 'What it read'))
  section.append(element('p', 'aside', whole(text)), list)
  section.id = 'reads'
  section.setAttribute('aria-label', 'What the call read')
  return section
}

function readRow(answer: Answer, read: Read): HTMLElement {
  const { kind, address, slot, parts } = read
  const names = { account: 'Account', slot: 'Storage slot', code: 'Code' } as const
  const bytes = parts.reduce((sum, hex) => sum + (hex.length - 2) / 2, 0)
  const nodes = kind === 'code' ? 'hashes to the account’s' : count(parts.length, 'trie node')
  const summary = element('summary', '', `${nodes}, ${count(bytes, 'byte')}`)
  const proof = element('details', '', summary)
  proof.addEventListener('toggle', () => {
    if (proof.childElementCount === 1) proof.append(proofOf(read))
  })
  const row = element(
    'li',
    '',
    element('p', 'label', names[kind]),
    element('p', 'figure', contentOf(read)),
    element('p', 'mono', slot === undefined ? address : `slot ${shortHex(slot)} of ${address}`),
    proof,
  )
  row.dataset['kind'] = kind
  if (isInside(answer.file, read)) row.append(leaveOut(answer, read))
  else row.append(element('p', 'hint', 'Proven by the account: nothing is stored there.'))
  return row
}

function contentOf({ value }: Read): string {
  if (typeof value === 'bigint') return value === 0n ? '0' : word(value)
  if (typeof value === 'string') return count((value.length - 2) / 2, 'byte')
  return value === null ? 'None there' : accountOf(value)
}

function accountOf({ balance, nonce }: Account): string {
  const { figure, unit } = amount(balance)
  return `${figure} ${unit}, nonce ${grouped(nonce)}`
}

function proofOf({ kind, parts }: Read): HTMLElement {
  const rows = parts.map((hex) => {
    const node = kind === 'code' ? 'code' : (readNode(bytesOf(hex), [0, 0], undefined)?.kind ?? '')
    return element('li', 'mono', `${node} `, printable(hex, 120))
  })
  return element('ol', 'nodes', ...rows)
}

function leaveOut(answer: Answer, read: Read): HTMLElement {
  const name = read.kind === 'slot' ? 'slot' : read.kind
  const button = element('button', 'quiet', `Leave this ${name} out`)
  button.type = 'button'
  button.addEventListener('click', async () => {
    button.disabled = true
    const ended = await answer.run(without(answer.file, read))
    showOutcome(broken(answer, ended))
    document.getElementById('honest')?.focus()
  })
  return button
}

/** What comes of a call that is not told all that it reads. */
function broken(answer: Answer, ended: CallFileResult): Drawn {
  const back = element('button', 'quiet', 'Back to the honest answer')
  back.type = 'button'
  back.id = 'honest'
  back.addEventListener('click', () => showOutcome(drawn(answer)))
  if (ended.status === 'success' || ended.status === 'reverted') {
    // Another item’s proof had the same node.
    const words = element('p', '', 'The other proofs bear it out too, so the answer is the same.')
    return { state: 'drawn', as: 'present', parts: [card(words, back)] }
  }
  const { code, message } = ended.error
  const shown = element('p', 'code', code)
  shown.id = 'code'
  const title = 'The call stops: an item is missing'
  const text = 'No answer is shown. What is left out is not taken for zero.'
  const verdict = card(
    banner('invalid', title, text),
    part('What was checked', element('p', '', whole(CHECKED))),
    part('Error code', shown),
    part('In the verifier’s words', element('p', 'mono', whole(message))),
    back,
  )
  return { state: 'drawn', as: 'invalid', parts: [verdict] }
}

const CHECKED = 'Each account, slot and code that a call reads must be proven. One of them is not.'

function part(label: string, ...content: readonly HTMLElement[]): HTMLElement {
  return element('div', '', element('p', 'label', label), ...content)
}

const mono = (text: string): HTMLElement => element('p', 'mono', whole(printable(text, 2_000)))

function count(number: number, name: string): string {
  return `${grouped(number)} ${name}${number === 1 ? '' : 's'}`
}
