/** Draws transfers: each way of asking with its cost, and block by block side by side. */

import type { Trust } from 'lightproof'
import { banner } from '../answer/view.js'
import type { Drawn } from '../check/check.js'
import { element, whole } from '../parts/dom.js'
import { grouped, milliseconds, shortHex, shortUrl } from '../parts/format.js'
import {
  type ByCole,
  type ByLogs,
  type Cost,
  type Row,
  rowsOf,
  type Transfers,
} from './transfers.js'

/** The answer on the page. */
export function drawn(found: Transfers): Drawn {
  const { from, to, logs, cole, asked } = found
  const range = `blocks ${grouped(from)} to ${grouped(to)}`
  const text = `Nothing is left out in ${range}.`
  const head = element('div', 'card verdict', banner('present', 'Proven, and complete', text))
  const ways = [
    ...(logs === undefined ? [] : [logsCard(logs)]),
    ...(cole === undefined ? [] : [coleCard(cole)]),
  ]
  const rows = rowsOf(asked.address, logs?.transfers ?? [], cole?.history)
  return {
    state: 'drawn',
    as: 'present',
    parts: [head, element('div', 'sides', ...ways), rowsCard(rows, found)],
  }
}

function logsCard({ transfers, trust, cost }: ByLogs): HTMLElement {
  const how =
    'Each block’s header says whether it may have some; of those, all receipts were fetched and hashed.'
  return wayCard(
    'by-logs',
    'From receipts',
    countOf(transfers.length, 'transfer'),
    how,
    trust,
    cost,
  )
}

function coleCard({ history, trust, cost }: ByCole): HTMLElement {
  const { attestedBy, origin, crossChecked = 0 } = trust
  const signed =
    attestedBy === undefined
      ? ''
      : `, under a block that ${attestedBy.signed} of ${attestedBy.of} operators signed`
  const twice =
    origin === undefined
      ? ''
      : ` Its origin is a block that you trust; ${countOf(crossChecked, 'value')} proven a second time there.`
  const count = countOf(history.versions.length, 'version')
  const how = `One proof of every version of the balance’s slot${signed}.${twice}`
  return wayCard('by-cole', 'By COLE', `${count} of the balance`, how, trust, cost)
}

function wayCard(
  id: string,
  title: string,
  count: string,
  how: string,
  { chain, block, servedBy }: Trust,
  { requests, bytes, milliseconds: time }: Cost,
): HTMLElement {
  const { name, chainId } = chain
  const facts = [
    fact('Chain', chainId === undefined ? name : `${name}, ${chainId}`),
    fact('Under block', `${grouped(block.number)}, ${shortHex(block.hash ?? '')}`),
    fact('Served by', shortUrl(servedBy)),
    fact('Requests', grouped(requests)),
    fact('Answers', `${grouped(bytes)} bytes`),
    fact('Time', milliseconds(time)),
  ]
  const section = element(
    'section',
    'card lies',
    element('h3', '', title),
    element('p', 'figure', count),
    element('p', 'aside', whole(how)),
    element('dl', 'facts', ...facts),
  )
  section.id = id
  return section
}

function rowsCard(rows: readonly Row[], { logs, cole, asked }: Transfers): HTMLElement {
  const section = element('section', 'card lies', element('h3', '', 'Block by block'))
  section.id = 'transfers'
  if (rows.length === 0) {
    section.append(element('p', 'aside', 'In these blocks nothing moved, and that is proven.'))
    return section
  }
  const isBoth = logs !== undefined && cole !== undefined
  const head = [
    'Block',
    ...(logs === undefined ? [] : ['Transfers']),
    ...(cole === undefined ? [] : ['Balance after']),
    ...(isBoth ? ['Agree'] : []),
  ]
  const body = rows.map((row) => {
    const cells = [
      element('td', '', grouped(row.block)),
      ...(logs === undefined ? [] : [element('td', '', ...movesIn(row, asked.address))]),
      ...(cole === undefined ? [] : [element('td', '', balanceIn(row))]),
      ...(isBoth ? [element('td', '', wordFor(row))] : []),
    ]
    return element('tr', '', ...cells)
  })
  const table = element(
    'table',
    'values',
    element('thead', '', element('tr', '', ...head.map((name) => element('th', '', name)))),
    element('tbody', '', ...body),
  )
  const frame = element('div', 'scroll', table)
  frame.tabIndex = 0
  frame.setAttribute('role', 'region')
  frame.setAttribute('aria-label', 'Transfers block by block')
  const counted =
    'What was asked for is counted from the first request on: headers, and comparisons, included.'
  section.append(frame, element('p', 'aside', counted))
  if (isBoth && rows.some(({ isEqual }) => isEqual === false)) {
    const why =
      'Both are proven. Where they differ, the token moves balances without logging it, or the slot is another’s.'
    section.append(element('p', 'aside', why))
  }
  return section
}

function movesIn({ transfers }: Row, account: string): readonly HTMLElement[] {
  const own = account.toLowerCase()
  return transfers.map(({ from, to, amount }) => {
    const isIn = to === own
    const sign = from === to ? '±' : isIn ? '+' : '−'
    const who = from === to ? 'itself' : isIn ? `from ${shortHex(from)}` : `to ${shortHex(to)}`
    return element('div', '', `${sign}${grouped(amount)} ${who}`)
  })
}

function balanceIn({ balance }: Row): string {
  return balance === undefined ? 'not written' : grouped(balance)
}

function wordFor({ isEqual }: Row): string {
  if (isEqual === undefined) return 'not told'
  return isEqual ? 'yes' : 'no'
}

function fact(name: string, value: string): HTMLElement {
  return element('div', '', element('dt', '', name), element('dd', '', value))
}

function countOf(count: number, name: string): string {
  return `${grouped(count)} ${name}${count === 1 ? '' : 's'}`
}
