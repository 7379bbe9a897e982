/** The form on the page: its fields, which of them are shown, and what is wrong with them. */

import { escaped, printable } from 'lightproof/printable'
import { byId, element } from '../parts/dom.js'
import { shortUrl } from '../parts/format.js'
import { type FieldName, type Fields, fieldNames, isIdle } from './settings.js'
import { aboutSystem, isOffered, SYSTEMS } from './systems.js'

type Field = HTMLInputElement | HTMLSelectElement

const details = byId('settings', HTMLDetailsElement)
const inputs: Readonly<Record<Exclude<FieldName, 'system'>, Field>> = {
  address: byId('address', HTMLInputElement),
  slot: byId('slot', HTMLInputElement),
  positions: byId('positions', HTMLInputElement),
  from: byId('from', HTMLInputElement),
  to: byId('to', HTMLInputElement),
  data: byId('data', HTMLInputElement),
  sender: byId('sender', HTMLInputElement),
  token: byId('token', HTMLInputElement),
  chain: byId('chain', HTMLSelectElement),
  node: byId('node', HTMLInputElement),
  trust: byId('trust', HTMLSelectElement),
  at: byId('at', HTMLSelectElement),
  anchor: byId('anchor', HTMLInputElement),
  beacon: byId('beacon', HTMLInputElement),
  genesis: byId('genesis', HTMLInputElement),
  committee: byId('committee', HTMLInputElement),
  systems: byId('systems', HTMLInputElement),
  follows: byId('follows', HTMLInputElement),
  upstream: byId('upstream', HTMLInputElement),
  origin: byId('origin', HTMLInputElement),
}
byId('choices', HTMLElement).prepend(
  ...SYSTEMS.map(({ name, title }, i) => {
    const choice = element('input', '')
    Object.assign(choice, { type: 'radio', name: 'system', value: name, checked: i === 0 })
    return element('label', '', choice, element('span', '', title))
  }),
)
const choices = [...document.querySelectorAll<HTMLInputElement>('input[name=system]')]

/** What the form holds. */
export function fields(): Fields {
  const text = (name: keyof typeof inputs): string => inputs[name].value.trim()
  return {
    system: choices.find(({ checked }) => checked)?.value ?? '',
    address: text('address'),
    slot: text('slot'),
    positions: text('positions'),
    from: text('from'),
    to: text('to'),
    data: text('data'),
    sender: text('sender'),
    token: text('token'),
    chain: text('chain'),
    node: text('node'),
    trust: text('trust'),
    at: text('at'),
    anchor: text('anchor'),
    beacon: text('beacon'),
    genesis: text('genesis'),
    committee: text('committee'),
    systems: text('systems'),
    follows: text('follows'),
    upstream: text('upstream'),
    origin: text('origin'),
  }
}

/** Fills fields; the others keep what they hold. */
export function fill(given: Partial<Fields>): void {
  for (const name of fieldNames) {
    const value = given[name]
    if (value !== undefined) setField(name, value)
  }
  showFields()
}

/**
 * A chain that the list does not have is kept, so that it can be reported and not replaced by
 * another.
 */
function setField(name: FieldName, value: string): void {
  if (name === 'system') {
    for (const choice of choices) choice.checked = choice.value === value
    return
  }
  const field = inputs[name]
  if (field instanceof HTMLSelectElement) {
    const known = [...field.options].some((option) => option.value === value)
    if (!known) field.add(new Option(printable(value), value))
  }
  field.value = value
}

/** Shows the fields that mean something beside the others, and hides the rest. */
export function showFields(): void {
  offerSystems()
  const now = fields()
  for (const name of fieldNames) {
    const frame = document.getElementById(`${name}-field`)
    if (frame !== null) frame.hidden = isIdle(name, now)
  }
  const isBlock = now.trust === 'block'
  byId('anchor-label', HTMLElement).textContent = isBlock ? 'Trusted block hash' : 'Checkpoint'
  const isAccount = now.system === 'mpt'
  byId('address-label', HTMLElement).textContent = addressLabel(now.system)
  const isHistory = now.system === 'transfers'
  byId('slot-label', HTMLElement).textContent = isAccount
    ? 'Storage slot, if any'
    : isHistory
      ? 'Its balance’s slot in the token'
      : 'Slot'
  byId('from-label', HTMLElement).textContent = isHistory
    ? 'From block'
    : 'From block, for a history'
  byId('from', HTMLInputElement).placeholder = isHistory ? '999 blocks before' : 'latest value only'
  byId('about', HTMLElement).textContent = aboutSystem(now.system)
  const { node, chain } = now
  const isPrivate = chain === 'private'
  byId('genesis-label', HTMLElement).textContent = isPrivate
    ? 'Chain id, genesis hash and rules'
    : 'Genesis hash'
  byId('genesis-hint', HTMLElement).textContent = isPrivate
    ? 'Such as 1337@0x…/osaka:5007716, with the divisor of its blob base fee.'
    : 'Tells one devnet from another.'
  byId('where', HTMLElement).textContent =
    node === '' ? '' : `${printable(chain)} · ${shortUrl(node)}`
}

function addressLabel(system: string): string {
  if (system === 'call') return 'Contract'
  const isAddress = ['mpt', 'cole', 'transfers'].includes(system)
  return isAddress ? 'Account address' : 'Account address, or a key in hex'
}

/**
 * Systems that the chain's headers commit to; where the chosen one is not among them, the first is.
 */
function offerSystems(): void {
  const { chain } = fields()
  for (const choice of choices) choice.disabled = !isOffered(choice.value, chain)
  const chosen = choices.find(({ checked }) => checked)
  const [first] = choices
  if (chosen?.disabled === true && first !== undefined) first.checked = true
}

/** Shows or folds away whom to ask and what to trust. */
export function openDetails(isOpen: boolean): void {
  details.open = isOpen
}

/** Goes to the first part of the question. */
export function goToQuestion(): void {
  choices.find(({ checked }) => checked)?.focus()
}

/** Goes to the first of the settings. */
export function goToSettings(): void {
  details.open = true
  inputs.chain.focus()
}

/** Says what is wrong at the field that it is wrong with, and goes there. */
export function showProblem(name: FieldName, problem: string): void {
  const message = byId(`${name}-problem`, HTMLElement)
  message.textContent = escaped(problem.charAt(0).toUpperCase() + problem.slice(1))
  message.hidden = false
  if (name === 'system') return
  const field = inputs[name]
  if (details.contains(field)) details.open = true
  field.setAttribute('aria-invalid', 'true')
  field.focus()
}

/** Takes back what was said of the fields. */
export function clearProblems(): void {
  for (const name of fieldNames) {
    if (name !== 'system') inputs[name].removeAttribute('aria-invalid')
    byId(`${name}-problem`, HTMLElement).hidden = true
  }
}
