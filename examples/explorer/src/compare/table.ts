/** The measurements as a table with bars. */

import { titleOf } from '../form/systems.js'
import { element } from '../parts/dom.js'
import { grouped } from '../parts/format.js'
import type { Measured, Unmeasured } from './measure.js'

type Row = Measured | Unmeasured

/** What a row lets the reader do. */
export type OnMany = (row: Measured) => void

/** The table of the rows that are known so far. */
export function tableOf(rows: readonly Row[], onMany: OnMany): HTMLElement {
  const measured = rows.filter((row) => 'bytes' in row)
  const most = Math.max(1, ...measured.map(({ bytes }) => bytes))
  const slowest = Math.max(0.001, ...measured.map(({ milliseconds }) => milliseconds))
  const baseline = measured.find(({ system }) => system === 'mpt')
  const head = ['System', 'Proof', 'Beside Merkle', 'Check, median', ''].map((text) =>
    element('th', '', text),
  )
  const table = element(
    'table',
    'values compared',
    element('thead', '', element('tr', '', ...head)),
    element('tbody', '', ...rows.map((row) => lineOf(row, { most, slowest, baseline, onMany }))),
  )
  const frame = element('div', 'scroll', table)
  frame.tabIndex = 0
  frame.setAttribute('role', 'region')
  frame.setAttribute('aria-label', 'Proof sizes and times')
  return frame
}

interface Scale {
  readonly most: number
  readonly slowest: number
  readonly baseline: Measured | undefined
  readonly onMany: OnMany
}

function lineOf(row: Row, { most, slowest, baseline, onMany }: Scale): HTMLElement {
  const name = element('th', '', titleOf(row.system))
  name.scope = 'row'
  if ('problem' in row) {
    const cell = element('td', 'aside', row.problem)
    cell.colSpan = 4
    return element('tr', '', name, cell)
  }
  const { system, bytes, milliseconds } = row
  const many = element('button', 'quiet', 'Check 1,000')
  many.type = 'button'
  many.dataset['system'] = system
  many.setAttribute('aria-label', `Check the proof of ${titleOf(system)} 1,000 times`)
  many.addEventListener('click', () => onMany(row))
  return element(
    'tr',
    '',
    name,
    element('td', '', bar(bytes / most), `${grouped(bytes)} bytes`),
    element('td', '', ratio(bytes, baseline)),
    element('td', '', bar(milliseconds / slowest), `${milliseconds.toFixed(2)} ms`),
    element('td', '', many),
  )
}

/** Of the baseline's bytes. */
function ratio(bytes: number, baseline: Measured | undefined): string {
  if (baseline === undefined) return ''
  if (baseline.bytes === bytes) return 'the baseline'
  const times = baseline.bytes / bytes
  return times >= 1 ? `${times.toFixed(1)} times smaller` : `${(1 / times).toFixed(1)} times larger`
}

function bar(share: number): HTMLElement {
  const fill = element('span', '')
  fill.style.setProperty('width', `${Math.max(1, share * 100)}%`)
  const made = element('span', 'bar', fill)
  made.setAttribute('aria-hidden', 'true')
  return made
}
