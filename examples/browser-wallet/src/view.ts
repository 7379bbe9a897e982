/** Draws an outcome. */

import type { Outcome, Progress } from './check.js'
import { byId, element, icon } from './dom.js'
import { amount, grouped } from './format.js'
import { report } from './report.js'
import { whatFailed, whyUnavailable } from './words.js'

type Shown = Exclude<Outcome, { state: 'input' }>

const EMPTY_CODE_HASH: string = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'

/** Shows that the node has been asked. */
export function showWorking(node: string): void {
  const text = `Asking ${node} and checking what it sends.`
  replace('working', card(banner('working', 'Checking', text)))
}

/** Shows how far the signed headers have been followed; says nothing once an answer is there. */
export function showProgress({ phase, period, periods }: Progress): void {
  const line = document.querySelector('#result[data-state=working] .banner p')
  if (line === null) return
  const of = periods === undefined ? '' : ` of ${grouped(periods)}`
  line.textContent =
    phase === 'updates'
      ? `Following the committees that sign headers: period ${grouped(period)}${of}.`
      : 'Checking who signed the newest header.'
}

/** Clears the result. */
export function showNothing(): void {
  replace('idle')
}

/** Shows how the question ended. */
export function showOutcome(outcome: Shown): void {
  switch (outcome.state) {
    case 'proven':
      replace('proven', columns(provenCard(outcome), report(outcome.grounds, outcome.file, false)))
      return
    case 'absent':
      replace('absent', columns(absentCard(outcome), report(outcome.grounds, outcome.file, true)))
      return
    case 'lying':
      replace('lying', lyingCard(outcome.error))
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

function provenCard({ account, address }: Extract<Shown, { state: 'proven' }>): HTMLElement {
  const { figure } = amount(account.balance)
  const exact = element('p', 'exact', `${grouped(account.balance)} wei`)
  exact.hidden = figure === grouped(account.balance)
  const nonce = element('p', 'figure', grouped(account.nonce))
  nonce.id = 'nonce'
  const kind = account.codeHash === EMPTY_CODE_HASH ? 'without code' : 'a contract'
  return card(
    banner('proven', 'Proven', 'This balance follows from what you trust.'),
    element('div', '', element('p', 'label', 'Balance'), balance(account.balance), exact),
    element('div', '', element('p', 'label', 'Nonce'), nonce),
    element('div', '', element('p', 'label', `Account, ${kind}`), element('p', 'mono', address)),
  )
}

function absentCard({ address, grounds }: Extract<Shown, { state: 'absent' }>): HTMLElement {
  const block = grouped(grounds.trust.block.number)
  return card(
    banner('absent', 'Proven absent', `In block ${block} there is no account at this address.`),
    element(
      'div',
      '',
      element('p', 'label', 'Balance'),
      balance(0n),
      element(
        'p',
        'aside',
        'Zero because it is proven that nothing is there, not because an answer is missing.',
      ),
    ),
    element('div', '', element('p', 'label', 'Address'), element('p', 'mono', address)),
  )
}

function balance(wei: bigint): HTMLElement {
  const { figure, unit } = amount(wei)
  const shown = element('p', 'amount', figure, ' ', element('small', '', unit))
  shown.id = 'balance'
  shown.classList.toggle('long', figure.length > 14)
  return shown
}

function lyingCard(error: Extract<Shown, { state: 'lying' }>['error']): HTMLElement {
  const title =
    error.kind === 'verify' ? 'The node’s answer is false' : 'The node’s proof is malformed'
  const node = error.node ?? 'The node'
  const place = error.span === undefined ? '' : ` (bytes ${error.span[0]} to ${error.span[1]})`
  const code = element('p', 'code', error.code)
  code.id = 'code'
  const checked = element('p', '', whatFailed[error.code])
  checked.id = 'checked'
  return card(
    banner('lying', title, `Do not rely on ${node}. No balance is shown, for none was proven.`),
    element('div', '', element('p', 'label', 'What was checked'), checked),
    element('div', '', element('p', 'label', 'Error code'), code),
    element(
      'div',
      '',
      element('p', 'label', 'In the verifier’s words'),
      element('p', 'mono', error.message + place),
    ),
  )
}

function unavailableCard(error: Extract<Shown, { state: 'unavailable' }>['error']): HTMLElement {
  const { title, text } = whyUnavailable[error.code]
  const code = element('p', 'code', error.code)
  code.id = 'code'
  return card(
    banner('unavailable', title, 'Nothing was proven, and nothing was found to be false.'),
    element('p', '', text),
    element('div', '', element('p', 'label', 'Error code'), code),
    element('div', '', element('p', 'label', 'Details'), element('p', 'mono', error.message)),
  )
}

function platformCard(outcome: Extract<Shown, { state: 'platform' }>): HTMLElement {
  const code = element('p', 'code', outcome.code)
  code.id = 'code'
  return card(
    banner('platform', 'No proof can be checked here', 'Nothing was proven.'),
    element('p', '', outcome.problem),
    element('div', '', element('p', 'label', 'Error code'), code),
  )
}

function banner(name: string, title: string, text: string): HTMLElement {
  return element(
    'div',
    'banner',
    icon(name),
    element('div', '', element('h2', '', title), element('p', '', text)),
  )
}

function card(head: HTMLElement, ...body: readonly HTMLElement[]): HTMLElement {
  const content = body.length === 0 ? [] : [element('div', 'body', ...body)]
  return element('div', 'card verdict', head, ...content)
}

function columns(...content: readonly HTMLElement[]): HTMLElement {
  return element('div', 'columns', ...content)
}
