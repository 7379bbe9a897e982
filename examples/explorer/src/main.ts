/** Wires the form to the light client. */

import { printable } from 'lightproof/printable'
import {
  goToAnswer,
  showNothing,
  showOutcome,
  showProgress,
  showUndrawn,
  showUnread,
  showWorking,
} from './answer/view.js'
import type { Outcome, Proof } from './check/check.js'
import type { Progress } from './check/place.js'
import { type Dropped, listenForFiles } from './form/drop.js'
import {
  clearProblems,
  goToQuestion,
  goToSettings,
  openDetails,
  showFields,
  showProblem,
} from './form/form.js'
import { goToProposal, isProposed, propose, settings, showProposal } from './form/proposal.js'
import { asksSomething, type Settings, settingsFromAddress } from './form/settings.js'
import { trustedFor } from './form/trusted.js'
import { byId } from './parts/dom.js'
import { shortUrl } from './parts/format.js'

const form = byId('form', HTMLFormElement)

let running: AbortController | undefined
/** The last answer that was proven: what lies are told about. */
let honest: Proof | undefined

form.addEventListener('submit', (event) => {
  event.preventDefault()
  if (isProposed()) {
    decideOnLink()
    goToProposal()
  } else {
    void ask()
  }
})
form.addEventListener('change', showFields)
listenForFiles((dropped) => {
  const go = () => void open(dropped)
  if (isProposed()) decide(go, go)
  else go()
})
addEventListener('hashchange', readAddressBar)
readAddressBar()

/**
 * Takes what the page's address says. Whom to ask and what to trust the user must confirm, and
 * nothing is asked before.
 */
function readAddressBar(): void {
  running?.abort()
  honest = undefined
  clearProblems()
  propose(settingsFromAddress(location))
  openDetails(!isProposed() && !isComplete(settings()))
  if (isProposed()) decideOnLink()
  else showNothing()
}

function isComplete({ node, anchor }: Settings): boolean {
  return node !== '' && anchor !== ''
}

/** Lets the user decide on the link, and asks its question if they take it. */
function decideOnLink(): void {
  decide(
    () => {
      const now = settings()
      openDetails(!isComplete(now))
      if (isComplete(now) && asksSomething(now)) {
        byId('result', HTMLElement).focus()
        void ask()
      } else {
        showNothing()
        goToQuestion()
      }
    },
    () => {
      showNothing()
      goToSettings()
    },
  )
}

/** Lets the user decide on the link; what runs is dropped. */
function decide(onUse: () => void, onDrop: () => void): void {
  running?.abort()
  honest = undefined
  clearProblems()
  showProposal({ onUse, onDrop })
}

/** Asks what the form asks; a question that is still running is dropped. */
async function ask(): Promise<void> {
  const asked = settings()
  honest = undefined
  const node = shortUrl(asked.node) || 'the node'
  await show(`Asking ${node} and checking what it sends.`, checking(asked))
}

/** Checks a file against the block hash in the form. */
async function open(dropped: Dropped): Promise<void> {
  running?.abort()
  honest = undefined
  if ('problem' in dropped) {
    showUnread(dropped.name, dropped.problem)
    return
  }
  const { name, json } = dropped
  const asked = await trustedFor(json, name, settings())
  await show(`Checking ${printable(name)}.`, async ({ checkFile }) => checkFile(json, asked))
}

type Checker = typeof import('./check/check.js')
type Work = (checker: Checker, signal: AbortSignal) => Promise<Outcome>

function checking(asked: Settings, asStranger = false): Work {
  return async ({ check }, signal) => {
    const tell = (progress: Progress): void => {
      if (!signal.aborted) showProgress(progress)
    }
    if (asked.system === 'call') {
      return (await import('./calls/ask.js')).askCall(asked, signal, tell)
    }
    if (asked.system === 'transfers') {
      return (await import('./history/ask.js')).askTransfers(asked, signal, tell)
    }
    return check(asked, signal, tell, asStranger)
  }
}

/** What was started below an answer, where the reader is when the next one comes. */
interface FromBelow {
  /** What makes the answer a lie, if anything does. */
  readonly lie?: string
}

async function show(words: string, work: Work, below?: FromBelow): Promise<void> {
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
    await explain(outcome, current.signal, below?.lie).catch((error: unknown) => {
      // The answer stands without the drawing.
      if (!current.signal.aborted) showUndrawn(error)
    })
    if (below !== undefined && !current.signal.aborted) goToAnswer()
  }
}

async function outcomeOf(work: Work, signal: AbortSignal): Promise<Outcome | undefined> {
  try {
    // The page is on screen before the verifier is fetched.
    return await work(await import('./check/check.js'), signal)
  } catch (error) {
    if (signal.aborted) return undefined
    const reason = error instanceof Error ? error.message : String(error)
    return {
      state: 'platform',
      code: 'page',
      problem: `A part of this page failed: ${printable(reason)}`,
    }
  }
}

/** Draws why, once the answer is on screen, and offers lies. Without them the answer is as good. */
async function explain(outcome: Outcome, signal: AbortSignal, lie?: string): Promise<void> {
  if (outcome.state === 'drawn') return
  const isProof = 'finding' in outcome
  if (isProof && lie === undefined) honest = outcome
  const proof = honest
  const { explanationOf } = await import('./explain.js')
  const parts = await explanationOf(outcome, proof, {
    onLie: (name, node, asStranger) => {
      if (proof === undefined) return
      void show(
        `Asking a node that lies: ${printable(name)}.`,
        checking({ ...proof.asked, node }, asStranger),
        {
          lie: name,
        },
      )
    },
    onFile: (file, anchor, name) => {
      if (proof === undefined) return
      const asked = { ...proof.asked, anchor }
      void show('Checking the changed proof.', async ({ checkFile }) => checkFile(file, asked), {
        lie: name,
      })
    },
    onHonest: () => {
      if (proof !== undefined) void show('Once more.', async () => proof, {})
    },
    lie,
  })
  if (!signal.aborted) byId('result', HTMLElement).append(...parts)
}
