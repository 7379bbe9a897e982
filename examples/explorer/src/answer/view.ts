/** Draws an outcome. */

import { printable } from 'lightproof/printable'
import type { Outcome, Proof } from '../check/check.js'
import type { Progress } from '../check/place.js'
import { byId, element, icon, whole } from '../parts/dom.js'
import { grouped } from '../parts/format.js'
import { tell } from './facts.js'
import { report } from './report.js'
import { whatFailed, whyUnavailable } from './words.js'

type Shown = Exclude<Outcome, { state: 'input' }>

/** Shows a file that could not be read. */
export function showUnread(name: string, problem: string): void {
  const text = 'Nothing was proven, and nothing was found to be false.'
  const words = element('p', '', whole(problem))
  replace(
    'unavailable',
    card(banner('unavailable', `${printable(name)} is no proof file`, text), words),
  )
}

/**
 * Brings the answer into view, and the focus to the step that is chosen in its drawing: the one
 * that breaks, if one does.
 */
export function goToAnswer(): void {
  const result = byId('result', HTMLElement)
  result.scrollIntoView({ block: 'start' })
  result.querySelector<HTMLElement>('.reason[aria-pressed=true]')?.focus({ preventScroll: true })
}

/** Says below the answer that its drawing is missing. */
export function showUndrawn(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error)
  const words = element('p', 'aside', `The drawing could not be made: ${reason}`)
  byId('result', HTMLElement).append(words)
}

/** Shows what is being done. */
export function showWorking(text: string): void {
  replace('working', card(banner('working', 'Checking', text)))
}

/** Shows how far the signed headers have been followed; says nothing once an answer is there. */
export function showProgress({ phase, period, periods }: Progress): void {
  const of = periods === undefined ? '' : ` of ${grouped(periods)}`
  showDoing(
    phase === 'updates'
      ? `Following the committees that sign headers: period ${grouped(period)}${of}.`
      : 'Checking who signed the newest header.',
  )
}

/** Says what is being done now; says nothing once an answer is there. */
export function showDoing(text: string): void {
  const line = document.querySelector('#result[data-state=working] .banner p')
  if (line !== null) line.textContent = text
}

/** Clears the result. */
export function showNothing(): void {
  replace('idle')
}

/** Shows how the question ended. */
export function showOutcome(outcome: Shown): void {
  switch (outcome.state) {
    case 'present':
    case 'absent':
    case 'deleted':
      replace(outcome.state, columns(proofCard(outcome), report(outcome)))
      return
    case 'drawn':
      replace(outcome.as, ...outcome.parts)
      return
    case 'invalid':
      replace('invalid', invalidCard(outcome.error))
      return
    case 'unavailable':
      replace('unavailable', unavailableCard(outcome.error))
      return
    case 'platform':
      replace('platform', platformCard(outcome))
  }
}

function replace(state: string, ...content: readonly HTMLElement[]): void {
  const result = byId('result', HTMLElement)
  result.dataset['state'] = state
  result.setAttribute('aria-busy', String(state === 'working'))
  result.replaceChildren(...content)
}

function proofCard(proof: Proof): HTMLElement {
  const { title, text, parts } = tell(proof)
  return card(banner(proof.state, title, text), element('div', 'parts', ...parts))
}

function invalidCard(error: Extract<Shown, { state: 'invalid' }>['error']): HTMLElement {
  const title =
    error.kind === 'verify' ? 'The node’s answer is false' : 'The node’s proof is malformed'
  const node = printable(error.node ?? 'it')
  const place = error.span === undefined ? '' : ` (bytes ${error.span[0]} to ${error.span[1]})`
  const code = element('p', 'code', error.code)
  code.id = 'code'
  const checked = element('p', '', whole(whatFailed[error.code]))
  checked.id = 'checked'
  return card(
    banner('invalid', title, `Do not rely on ${node}. No value is shown, for none was proven.`),
    element('div', '', element('p', 'label', 'What was checked'), checked),
    element('div', '', element('p', 'label', 'Error code'), code),
    element(
      'div',
      '',
      element('p', 'label', 'In the verifier’s words'),
      element('p', 'mono', whole(error.message + place)),
    ),
  )
}

function unavailableCard(error: Extract<Shown, { state: 'unavailable' }>['error']): HTMLElement {
  const { title, text } = whyUnavailable[error.code]
  const code = element('p', 'code', error.code)
  code.id = 'code'
  return card(
    banner('unavailable', title, 'Nothing was proven, and nothing was found to be false.'),
    element('p', '', whole(text)),
    element('div', '', element('p', 'label', 'Error code'), code),
    element(
      'div',
      '',
      element('p', 'label', 'Details'),
      element('p', 'mono', whole(error.message)),
    ),
  )
}

function platformCard(outcome: Extract<Shown, { state: 'platform' }>): HTMLElement {
  const code = element('p', 'code', outcome.code)
  code.id = 'code'
  return card(
    banner('platform', 'No proof can be checked here', 'Nothing was proven.'),
    element('p', '', whole(outcome.problem)),
    element('div', '', element('p', 'label', 'Error code'), code),
  )
}

/** Icon, headline and a sentence. */
export function banner(name: string, title: string, text: string): HTMLElement {
  return element(
    'div',
    'banner',
    icon(name),
    element('div', '', element('h2', '', whole(title)), element('p', '', whole(text))),
  )
}

/** A card: its banner, and what stands below. */
export function card(head: HTMLElement, ...body: readonly HTMLElement[]): HTMLElement {
  const content = body.length === 0 ? [] : [element('div', 'body', ...body)]
  return element('div', 'card verdict', head, ...content)
}

/** Two cards side by side where there is room. */
export function columns(...content: readonly HTMLElement[]): HTMLElement {
  return element('div', 'columns', ...content)
}
