/**
 * What the page's link says of whom to ask and what to trust. Whoever made the link could name a
 * block of their own making and a node that proves anything from it, so it is a proposal: shown,
 * and not used before the user confirms it.
 */

import { byId, element, icon } from '../parts/dom.js'
import { fields, fill } from './form.js'
import {
  type FieldName,
  type Fields,
  fieldNames,
  isIdle,
  QUESTION,
  type Settings,
} from './settings.js'

type Proposal = Partial<Fields>

const NAMES: Readonly<Partial<Record<FieldName, string>>> = {
  anchor: 'Trusted hash',
  trust: 'Kind of trust',
  node: 'Node to ask',
  beacon: 'Beacon node to ask',
  chain: 'Chain',
  genesis: 'Genesis hash',
  committee: 'Committee',
  systems: 'Systems',
  follows: 'Chain that it follows',
  upstream: 'Node of that chain',
  origin: 'Trusted block of that chain',
  at: 'Answer from',
}

/** As many as a devnet may have, and more. */
const MOST_SYSTEMS = 16

let pending: Proposal | undefined
let confirmed: Proposal = {}

/** Takes what a link says: its question goes into the form, the rest waits for the user. */
export function propose(given: Proposal): void {
  fill(only(given, (name) => QUESTION.includes(name)))
  const held = fields()
  // The form's chain may not offer the system yet.
  const rest = only(
    given,
    (name) => !QUESTION.includes(name) || (name === 'system' && given.system !== held.system),
  )
  pending = fieldNames.some((name) => differs(rest, held, name)) ? rest : undefined
}

/** Does a proposal wait for the user? */
export function isProposed(): boolean {
  return pending !== undefined
}

/** What the form holds, and which of it a link proposed. */
export function settings(): Settings {
  const held = fields()
  const ofLink = fieldNames.filter((name) => {
    return confirmed[name] !== undefined && confirmed[name] === held[name] && !isIdle(name, held)
  })
  return { ...held, proposed: Object.fromEntries(ofLink.map((name) => [name, 'link'])) }
}

/** The fields that a link proposed, in words. */
export function namesOf({ proposed }: Settings): readonly string[] {
  const names = Object.keys(NAMES) as FieldName[]
  return names.filter((name) => proposed[name] === 'link').map((name) => NAMES[name] ?? name)
}

/** How the user decides. */
interface Decision {
  readonly onUse: () => void
  readonly onDrop: () => void
}

/** Shows the proposal that waits. Nothing is asked. */
export function showProposal({ onUse, onDrop }: Decision): void {
  // The card is about this proposal: if the address changes, another card replaces it.
  const shown = pending ?? {}
  const use = button('use-link', '', 'Use what the link proposes', () => {
    pending = undefined
    fill(shown)
    confirmed = { ...confirmed, ...shown }
    onUse()
  })
  const drop = button('drop-link', 'quiet', 'Drop it', () => {
    pending = undefined
    onDrop()
  })
  const result = byId('result', HTMLElement)
  result.dataset['state'] = 'proposed'
  result.setAttribute('aria-busy', 'false')
  result.replaceChildren(cardOf(shown, use, drop))
}

/**
 * Leads the reader to the proposal, but to none of its buttons: a key that is pressed for something
 * else decides nothing.
 */
export function goToProposal(): void {
  document.querySelector<HTMLElement>('#result h2')?.focus()
}

function cardOf(shown: Proposal, ...buttons: readonly HTMLElement[]): HTMLElement {
  const title = element('h2', '', 'A link proposes what to trust')
  title.tabIndex = -1
  const text =
    'None of it is used yet. Whoever chose the hash and the nodes below decides what this page calls proven.'
  const banner = element(
    'div',
    'banner',
    icon('unavailable'),
    element('div', '', title, element('p', '', text)),
  )
  const advice =
    'Only go on if you trust who gave you this link, or know the hash from a source of your own.'
  const body = element(
    'div',
    'body',
    element('dl', 'proposed', ...rowsOf(shown)),
    element('p', '', advice),
    element('div', 'actions', ...buttons),
  )
  return element('div', 'card verdict', banner, body)
}

function rowsOf(shown: Proposal): HTMLElement[] {
  const after = { ...fields(), ...shown }
  const names = Object.keys(NAMES) as FieldName[]
  return names
    .filter((name) => shown[name] !== undefined && shown[name] !== '' && !isIdle(name, after))
    .map((name) => {
      const lines = linesOf(name, shown[name] ?? '').map((line) => element('div', '', line))
      const value = element('dd', 'mono', ...lines)
      return element('div', '', element('dt', '', NAMES[name] ?? name), value)
    })
}

/** A value, which is cut if it is long; of systems, one line each. */
function linesOf(name: FieldName, value: string): readonly string[] {
  if (name !== 'systems') return [value]
  try {
    const systems = Object.entries(JSON.parse(value) as Record<string, unknown>)
    if (systems.length > MOST_SYSTEMS) return [value]
    return systems.map(([system, config]) => `${system}: ${JSON.stringify(config)}`)
  } catch {
    return [value]
  }
}

function button(id: string, className: string, text: string, onClick: () => void): HTMLElement {
  const made = element('button', className, text)
  made.type = 'button'
  made.id = id
  made.addEventListener('click', onClick)
  return made
}

function only(given: Proposal, isMeant: (name: FieldName) => boolean): Proposal {
  const names = fieldNames.filter((name) => given[name] !== undefined && isMeant(name))
  return Object.fromEntries(names.map((name) => [name, given[name]]))
}

function differs(proposal: Proposal, held: Fields, name: FieldName): boolean {
  return proposal[name] !== undefined && proposal[name] !== held[name]
}
