/** Wires the form to the light client. */

import type { Outcome } from './check.js'
import { byId } from './dom.js'
import {
  type FieldName,
  fieldNames,
  isIdle,
  type Settings,
  settingsFromAddress,
} from './settings.js'
import { showNothing, showOutcome, showProgress, showWorking } from './view.js'

type Field = HTMLInputElement | HTMLSelectElement

const form = byId('form', HTMLFormElement)
const details = byId('settings', HTMLDetailsElement)
const fields: Readonly<Record<FieldName, Field>> = {
  address: byId('address', HTMLInputElement),
  chain: byId('chain', HTMLSelectElement),
  node: byId('node', HTMLInputElement),
  trust: byId('trust', HTMLSelectElement),
  anchor: byId('anchor', HTMLInputElement),
  beacon: byId('beacon', HTMLInputElement),
  genesis: byId('genesis', HTMLInputElement),
  committee: byId('committee', HTMLInputElement),
}

let running: AbortController | undefined

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void ask()
})
fields.chain.addEventListener('change', showSettings)
fields.trust.addEventListener('change', showSettings)
addEventListener('hashchange', readAddressBar)
readAddressBar()

/** Fills the form from the page's address, and asks at once if that names an account. */
function readAddressBar(): void {
  const given = settingsFromAddress(location)
  for (const name of fieldNames) {
    const value = given[name]
    if (value !== undefined) setField(name, value)
  }
  showSettings()
  const complete = fields.node.value !== '' && fields.anchor.value !== ''
  details.open = !complete
  if (complete && fields.address.value !== '') void ask()
}

/** A chain that the list does not have is kept, so that it can be reported and not replaced by another. */
function setField(name: FieldName, value: string): void {
  const field = fields[name]
  if (field instanceof HTMLSelectElement) {
    const known = [...field.options].some((option) => option.value === value)
    if (!known) field.add(new Option(value, value))
  }
  field.value = value
}

function showSettings(): void {
  const now = settings()
  for (const name of ['beacon', 'genesis', 'committee'] as const) {
    byId(`${name}-field`, HTMLElement).hidden = isIdle(name, now)
  }
  const isBlock = now.trust === 'block'
  byId('anchor-label', HTMLElement).textContent = isBlock ? 'Trusted block hash' : 'Checkpoint'
  const { node, chain } = now
  byId('where', HTMLElement).textContent = node === '' ? '' : `${chain} · ${shortUrl(node)}`
}

/** Host and port only: a path or a query may hold a key. */
function shortUrl(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}

function settings(): Settings {
  const text = (name: FieldName): string => fields[name].value.trim()
  return {
    address: text('address'),
    chain: text('chain'),
    node: text('node'),
    trust: text('trust'),
    anchor: text('anchor'),
    beacon: text('beacon'),
    genesis: text('genesis'),
    committee: text('committee'),
  }
}

/** Asks about the account in the form; a question that is still running is dropped. */
async function ask(): Promise<void> {
  running?.abort()
  const current = new AbortController()
  running = current
  clearProblems()
  showSettings()
  const asked = settings()
  showWorking(shortUrl(asked.node) || 'the node')
  const outcome = await answer(asked, current.signal)
  if (outcome === undefined || current.signal.aborted) return
  if (outcome.state === 'input') {
    showNothing()
    showProblem(outcome.field, outcome.problem)
  } else {
    showOutcome(outcome)
  }
}

async function answer(asked: Settings, signal: AbortSignal): Promise<Outcome | undefined> {
  try {
    // The page is on screen before the verifier is fetched.
    const { check } = await import('./check.js')
    return await check(asked, signal, (progress) => {
      if (!signal.aborted) showProgress(progress)
    })
  } catch (error) {
    if (signal.aborted) return undefined
    const reason = error instanceof Error ? error.message : String(error)
    return { state: 'platform', code: 'page', problem: `A part of this page failed: ${reason}` }
  }
}

function showProblem(name: FieldName, problem: string): void {
  const message = byId(`${name}-problem`, HTMLElement)
  message.textContent = problem.charAt(0).toUpperCase() + problem.slice(1)
  message.hidden = false
  if (name !== 'address') details.open = true
  fields[name].setAttribute('aria-invalid', 'true')
  fields[name].focus()
}

function clearProblems(): void {
  for (const name of fieldNames) {
    fields[name].removeAttribute('aria-invalid')
    byId(`${name}-problem`, HTMLElement).hidden = true
  }
}
