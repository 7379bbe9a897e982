/** The popup: asks the service worker, and shows a number only where one is proven. */

import { escaped } from 'lightproof/printable'
import type { Answer } from './message.js'

const form = byId('form', HTMLFormElement)
const address = byId('address', HTMLInputElement)

const meanings: Readonly<Record<Answer['status'], string>> = {
  present: 'Proven: the account has this balance.',
  absent: 'Proven: there is no such account.',
  invalid: 'A node sent a false proof, and no other node proved the balance.',
  unavailable: 'No node proved the balance, and none was caught lying.',
  error: 'Nothing was checked.',
}

let questions = 0

async function ask(): Promise<void> {
  const asked = address.value.trim()
  questions += 1
  const question = questions
  show('working')
  const answer = await chrome.runtime.sendMessage({ address: asked }).catch(ended)
  // A newer question is on its way.
  if (question !== questions) return
  const { status } = answer
  show(status, meanings[status])
  if (!('wei' in answer)) return say('detail', `${answer.message} (${answer.code})`)
  localStorage.setItem('address', asked)
  say('amount', `${ether(BigInt(answer.wei))} ETH`)
  const { block, ageSeconds, servedBy, headersFrom } = answer
  const age = ageSeconds === null ? 'of unknown age' : `${ageSeconds} s old`
  say('detail', `Block ${block}, ${age}. Proof: ${servedBy}. Headers: ${headersFrom.join(', ')}.`)
}

/** The service worker was ended before it answered. */
function ended(error: unknown): Answer {
  return { status: 'error', code: 'worker', message: String(error) }
}

/** Shows a status, and takes away what was shown before. */
function show(status: Answer['status'] | 'working', meaning = 'Asking, and checking…'): void {
  document.body.dataset['status'] = status
  say('status', status)
  say('meaning', meaning)
  say('amount', '–')
  say('detail', '')
}

/** Wei as ether, exactly. */
function ether(wei: bigint): string {
  const digits = wei.toString().padStart(19, '0')
  const whole = BigInt(digits.slice(0, -18)).toLocaleString('en')
  return `${whole}${`.${digits.slice(-18)}`.replace(/\.?0+$/, '')}`
}

/** Shows text as text, never as markup; what nodes wrote in it was cut before. */
function say(id: string, text: string): void {
  byId(id, HTMLElement).textContent = escaped(text)
}

function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`the popup has no #${id}`)
  return found
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  ask()
})

// A popup forgets everything when it closes.
address.value = localStorage.getItem('address') ?? ''
if (address.value !== '') ask()
