/** Compares the systems on one key, and checks proofs by the thousand. */

import type { Settings } from '../form/settings.js'
import { SYSTEMS, titleOf } from '../form/systems.js'
import { element } from '../parts/dom.js'
import { grouped } from '../parts/format.js'
import type { Measured, Unmeasured } from './measure.js'
import { plotOf } from './plot.js'
import { tableOf } from './table.js'

const MANY = 1000

/** The panel. Nothing is asked or measured before the reader says so. */
export function comparePanel(asked: Settings): HTMLElement {
  const place = element('div', 'place')
  const progress = element('div', 'progress')
  progress.setAttribute('role', 'status')
  const start = button('Compare on this key', 'compare')
  let running = new AbortController()
  const begin = (): AbortSignal => {
    running.abort()
    running = new AbortController()
    return running.signal
  }
  start.addEventListener('click', () => void compare(asked, begin(), place, many))
  const many = (row: Measured): void => {
    void checkThousand(asked, row, begin(), progress, () => running.abort())
  }
  const section = element(
    'section',
    'card lies',
    element('h3', '', 'Compare the systems'),
    element(
      'p',
      'aside',
      'The same key by every system that has it, measured in this browser now. MPT is the Merkle ' +
        'baseline; BalanceProofs opens the positions of the form instead.',
    ),
    start,
    place,
    progress,
  )
  section.id = 'compared'
  section.setAttribute('aria-label', 'Comparison')
  return section
}

async function compare(
  asked: Settings,
  signal: AbortSignal,
  place: HTMLElement,
  many: (row: Measured) => void,
): Promise<void> {
  const { measureAll } = await import('./measure.js')
  const rows: (Measured | Unmeasured)[] = []
  const names = SYSTEMS.map(({ name }) => name).filter((name) => isAsked(name, asked))
  place.setAttribute('aria-busy', 'true')
  try {
    await measureAll(asked, names, signal, (row) => {
      rows.push(row)
      if (!signal.aborted) place.replaceChildren(tableOf(rows, many), ...plot(rows))
    })
  } catch (error) {
    if (!signal.aborted) place.replaceChildren(element('p', 'problem', String(error)))
  }
  place.setAttribute('aria-busy', 'false')
}

/** Where there is something to compare. */
function plot(rows: readonly (Measured | Unmeasured)[]): SVGElement[] {
  const measured = rows.filter((row) => 'bytes' in row)
  return measured.length > 1 ? [plotOf(measured)] : []
}

function isAsked(name: string, { address, positions }: Settings): boolean {
  return (name === 'balanceproofs' ? positions : address) !== ''
}

async function checkThousand(
  asked: Settings,
  { system, file }: Measured,
  signal: AbortSignal,
  progress: HTMLElement,
  cancel: () => void,
): Promise<void> {
  const bar = element('progress', '')
  bar.max = MANY
  bar.value = 0
  bar.setAttribute('aria-label', 'Proofs checked')
  const words = element('p', '', `Checking ${titleOf(system)}.`)
  const stop = button('Cancel', 'cancel')
  stop.addEventListener('click', cancel)
  progress.replaceChildren(words, bar, stop)
  try {
    const { checkMany } = await import('./thousand.js')
    const { done, workers, milliseconds } = await checkMany(asked, file, MANY, signal, (count) => {
      bar.value = count
    })
    const seconds = milliseconds / 1000
    const crew = crewOf(workers)
    const result = element(
      'p',
      '',
      `${titleOf(system)}: ${grouped(done)} of ${grouped(MANY)} checked by ${crew} in ${seconds.toFixed(1)} s, ${grouped(Math.round(done / seconds))} a second.`,
    )
    result.id = 'thousand'
    progress.replaceChildren(result)
  } catch (error) {
    progress.replaceChildren(element('p', 'problem', String(error)))
  }
}

function crewOf(workers: number): string {
  if (workers === 0) return 'this page alone'
  return `${workers} ${workers === 1 ? 'worker' : 'workers'}`
}

function button(text: string, id: string): HTMLButtonElement {
  const made = element('button', 'quiet', text)
  made.type = 'button'
  made.id = id
  return made
}
