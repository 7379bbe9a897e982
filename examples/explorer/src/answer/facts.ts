/** What each system found, in words and figures. */

import type { Finding, ProvenAccount } from 'lightproof'
import type { BalanceProofsOutcome } from 'lightproof/balanceproofs'
import type { ColeOutcome, History } from 'lightproof/cole'
import type { LmptOutcome } from 'lightproof/lmpt'
import type { LvmtOutcome } from 'lightproof/lvmt'
import type { Proof } from '../check/check.js'
import { element, whole } from '../parts/dom.js'
import { amount, grouped, word } from '../parts/format.js'

const EMPTY_CODE_HASH: string = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'

/** Headline, a sentence, and the parts of the answer below them. */
export interface Told {
  readonly title: string
  readonly text: string
  readonly parts: readonly HTMLElement[]
}

/** What a proof says. */
export function tell({ system, state, asked, finding, grounds }: Proof): Told {
  const block = grouped(grounds.trust.block.number)
  switch (system) {
    case 'mpt':
      return tellAccount(finding as AccountFinding, block)
    case 'balanceproofs':
      return tellPositions(valuesOf<BalanceProofsOutcome>(finding))
    case 'cole':
      return isHistory(finding)
        ? tellHistory(finding.value)
        : tellVersion(finding as ColeOutcome, block)
    default: {
      const [outcome] = valuesOf<LvmtOutcome | LmptOutcome>(finding)
      const title = state === 'present' ? 'Proven' : 'Proven absent'
      if (outcome === undefined) return { title, text: '', parts: [] }
      return tellKey(outcome, asked.slot, block)
    }
  }
}

type AccountFinding = { readonly value: ProvenAccount }

function tellAccount({ value: { address, account, slots } }: AccountFinding, block: string): Told {
  const stored = slots.map(({ slot, value, status }) =>
    part(
      status === 'present' ? 'Storage slot' : 'Storage slot, empty',
      wordOf(value),
      mono(`slot ${slot}`),
    ),
  )
  if (account === null) {
    const why = 'Zero because it is proven that nothing is there, not because an answer is missing.'
    return {
      title: 'Proven absent',
      text: `In block ${block} there is no account at this address.`,
      parts: [part('Balance', balance(0n), aside(why)), ...stored, part('Address', mono(address))],
    }
  }
  const { figure } = amount(account.balance)
  const exact = element('p', 'exact', `${grouped(account.balance)} wei`)
  exact.hidden = figure === grouped(account.balance)
  const nonce = element('p', 'figure', grouped(account.nonce))
  nonce.id = 'nonce'
  const kind = account.codeHash === EMPTY_CODE_HASH ? 'without code' : 'a contract'
  return {
    title: 'Proven',
    text: 'This balance follows from what you trust.',
    parts: [
      part('Balance', balance(account.balance), exact),
      part('Nonce', nonce),
      ...stored,
      part(`Account, ${kind}`, mono(address)),
    ],
  }
}

function tellKey(outcome: LvmtOutcome | LmptOutcome, slot: string, block: string): Told {
  const key = part(slotOfKey(outcome.key, slot), mono(outcome.key))
  const layer =
    'layer' in outcome ? [part('Decided by', element('p', 'figure', `The ${outcome.layer}`))] : []
  if (outcome.status !== 'present') {
    const isDeleted = outcome.status === 'deleted'
    return {
      title: isDeleted ? 'Proven deleted' : 'Proven absent',
      text: isDeleted
        ? `The newest write before the end of block ${block} deleted this key.`
        : `In block ${block} nothing is stored under this key.`,
      parts: [...layer, key],
    }
  }
  const written =
    'version' in outcome
      ? [
          part(
            'Written',
            element('p', 'figure', times(outcome.version)),
            aside(`Last in block ${grouped(outcome.block)}.`),
          ),
        ]
      : []
  return {
    title: 'Proven',
    text: 'This value follows from what you trust.',
    parts: [
      part('Value', wordOf(BigInt(outcome.value)), mono(outcome.value)),
      ...written,
      ...layer,
      key,
    ],
  }
}

function tellVersion(outcome: ColeOutcome, block: string): Told {
  if (outcome.status === 'absent') {
    const text = `Up to block ${block} nothing was ever written here.`
    return { title: 'Proven absent', text, parts: [] }
  }
  return {
    title: 'Proven',
    text: 'This value follows from what you trust, and no newer one was left out.',
    parts: [
      part('Value', wordOf(BigInt(outcome.value)), mono(outcome.value)),
      part('Written in block', element('p', 'figure', grouped(outcome.block))),
    ],
  }
}

function tellHistory({ fromBlock, toBlock, versions, predecessor }: History): Told {
  const range = `blocks ${grouped(fromBlock)} to ${grouped(toBlock)}`
  const before =
    predecessor.status === 'proven'
      ? `Before: a version of block ${grouped(predecessor.block)}.`
      : predecessor.status === 'none'
        ? 'Before: nothing, and that is proven.'
        : 'What stood before is not proven.'
  const rows = versions.map(({ block, value }) => [grouped(block), short(value)] as const)
  return {
    title: versions.length === 0 ? 'Proven: no version' : 'Proven, and complete',
    text:
      versions.length === 0
        ? `In ${range} nothing was written here.`
        : `${countOf(versions.length, 'version')} in ${range}, none left out.`,
    parts: [...(rows.length === 0 ? [] : [table(['Block', 'Value'], rows)]), aside(before)],
  }
}

function tellPositions(outcomes: readonly BalanceProofsOutcome[]): Told {
  const rows = outcomes.map(({ position, value }) => {
    const { figure, unit } = amount(value)
    return [grouped(position), `${figure} ${unit}`] as const
  })
  return {
    title: 'Proven',
    text: `${countOf(outcomes.length, 'balance')} by one proof.`,
    parts: [table(['Position', 'Balance'], rows)],
  }
}

function valuesOf<O>({ value }: Finding): readonly O[] {
  return Array.isArray(value) ? (value as readonly O[]) : []
}

function isHistory(finding: Finding): finding is Finding & { readonly value: History } {
  const { value } = finding
  return typeof value === 'object' && value !== null && 'versions' in value
}

function slotOfKey(key: string, slot: string): string {
  return key.length === 106 ? `Slot ${slot === '' ? '0' : short(slot)} of the address` : 'Key'
}

function balance(wei: bigint): HTMLElement {
  const { figure, unit } = amount(wei)
  const shown = element('p', 'amount', figure, ' ', element('small', '', unit))
  shown.id = 'balance'
  shown.classList.toggle('long', figure.length > 14)
  return shown
}

/** A word as the number that it most likely is. */
function wordOf(value: bigint): HTMLElement {
  const shown = element('p', 'amount long', word(value))
  shown.classList.add('value')
  return shown
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): HTMLElement {
  const cells = (tag: 'th' | 'td', texts: readonly string[]) =>
    texts.map((text) => element(tag, '', text))
  const made = element(
    'table',
    'values',
    element('thead', '', element('tr', '', ...cells('th', head))),
    element('tbody', '', ...rows.map((row) => element('tr', '', ...cells('td', row)))),
  )
  const frame = element('div', 'scroll', made)
  frame.tabIndex = 0
  frame.setAttribute('role', 'region')
  frame.setAttribute('aria-label', `Table of ${head.join(' and ').toLowerCase()}`)
  return frame
}

function part(label: string, ...content: readonly HTMLElement[]): HTMLElement {
  return element('div', '', element('p', 'label', label), ...content)
}

const mono = (text: string): HTMLElement => element('p', 'mono', whole(text))
const aside = (text: string): HTMLElement => element('p', 'aside', text)

function times(count: bigint): string {
  return count === 1n ? 'once' : `${grouped(count)} times`
}

function countOf(count: number, name: string): string {
  return `${grouped(count)} ${name}${count === 1 ? '' : 's'}`
}

function short(hex: string): string {
  if (!/^0x[0-9a-f]+$/i.test(hex)) return hex
  const value = BigInt(hex)
  return value < 10n ** 24n ? grouped(value) : `${hex.slice(0, 10)}…${hex.slice(-6)}`
}
