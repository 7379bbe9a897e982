/** Wires the form to the light client. */

import { showNothing, showOutcome, showProgress, showUnread, showWorking } from './answer/view.js'
import type { Outcome } from './check/check.js'
import { type Dropped, listenForFiles } from './form/drop.js'
import { clearProblems, fill, openDetails, settings, showFields, showProblem } from './form/form.js'
import { asksSomething, settingsFromAddress } from './form/settings.js'
import { trustedFor } from './form/trusted.js'
import { byId } from './parts/dom.js'
import { shortUrl } from './parts/format.js'

const form = byId('form', HTMLFormElement)

let running: AbortController | undefined

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void ask()
})
form.addEventListener('change', showFields)
listenForFiles((dropped) => void open(dropped))
addEventListener('hashchange', readAddressBar)
readAddressBar()

/** Fills the form from the page's address, and asks at once if that asks something. */
function readAddressBar(): void {
  fill(settingsFromAddress(location))
  const now = settings()
  const complete = now.node !== '' && now.anchor !== ''
  openDetails(!complete)
  if (complete && asksSomething(now)) void ask()
}

/** Asks what the form asks; a question that is still running is dropped. */
async function ask(): Promise<void> {
  const asked = settings()
  const node = shortUrl(asked.node) || 'the node'
  await show(`Asking ${node} and checking what it sends.`, async ({ check }, signal) =>
    check(asked, signal, (progress) => {
      if (!signal.aborted) showProgress(progress)
    }),
  )
}

/** Checks a file against the block hash in the form. */
async function open(dropped: Dropped): Promise<void> {
  if ('problem' in dropped) {
    running?.abort()
    showUnread(dropped.name, dropped.problem)
    return
  }
  const { name, json } = dropped
  running?.abort()
  const { anchor } = settings()
  const asked = { ...settings(), anchor: await trustedFor(json, name, anchor) }
  await show(`Checking ${name}.`, async ({ checkFile }) => checkFile(json, asked))
}

type Checker = typeof import('./check/check.js')

async function show(
  words: string,
  work: (checker: Checker, signal: AbortSignal) => Promise<Outcome>,
): Promise<void> {
  running?.abort()
  const current = new AbortController()
  running = current
  clearProblems()
  showFields()
  showWorking(words)
  const outcome = await outcomeOf(work, current.signal)
  if (outcome === undefined || current.signal.aborted) return
  if (outcome.state === 'input') {
    showNothing()
    showProblem(outcome.field, outcome.problem)
  } else {
    showOutcome(outcome)
  }
}

async function outcomeOf(
  work: (checker: Checker, signal: AbortSignal) => Promise<Outcome>,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  try {
    // The page is on screen before the verifier is fetched.
    return await work(await import('./check/check.js'), signal)
  } catch (error) {
    if (signal.aborted) return undefined
    const reason = error instanceof Error ? error.message : String(error)
    return { state: 'platform', code: 'page', problem: `A part of this page failed: ${reason}` }
  }
}
