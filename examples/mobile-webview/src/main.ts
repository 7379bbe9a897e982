/**
 * One page for a native app's webview: the bridge that the app calls, and a small screen of its
 * own.
 */

// For checkpoints; an app that pins a block leaves it out, and the page is 260 KB smaller.
import 'lightproof/inline/light'
import { type Client, getAccount, InputError, PlatformError, serveBridge } from 'lightproof/inline'
import { escaped, printable } from 'lightproof/printable'
import { type Configured, configure, isOfShell, settingsIn } from './settings.js'
import { showFault, showNothing, showProposal, showResult } from './view.js'

declare global {
  interface Window {
    /** For the native shell: whom to ask and what to trust from now on, written as after `#`. */
    lightproofConfigure?: (settings: string) => void
  }
}

const form = byId('form', HTMLFormElement)
const address = byId('address', HTMLInputElement)
const problem = byId('problem', HTMLElement)
const calls = byId('calls', HTMLElement)

/** What the screen asks. */
let client: Client | undefined
/** Who chose where its trust starts. */
let origin = ''
let stopBridge: (() => void) | undefined
let running: AbortController | undefined

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void ask()
})
window.lightproofConfigure = obey
// The shell's address is its word, but anybody's link may change the part after `#` later.
addEventListener('hashchange', () => propose(location.hash))
say('Waiting for the app')
if (isOfShell(window)) obey(location.hash)
else propose(location.hash)

/** Follows the shell's configuration; a new one replaces the client and the bridge. */
function obey(settings: string): void {
  running?.abort()
  stopBridge?.()
  client = undefined
  stopBridge = undefined
  showNothing()
  say('Waiting for the app')
  const configured = read(settings, 'The app configured this page wrongly')
  if (configured === undefined) return
  use(configured.client, 'The app chose it')
  const { origins } = configured
  stopBridge = serveBridge(configured.client, window, { origins, onCall: countCall })
}

/**
 * Shows what a link proposes. If the user takes it, the screen uses it; the bridge never does: what
 * the app hears is proven from where the app's own trust starts.
 */
function propose(settings: string): void {
  const configured = read(settings, 'A link proposes what cannot be used')
  if (configured === undefined) return
  running?.abort()
  showProposal(settingsIn(settings), {
    onUse: () => {
      showNothing()
      use(configured.client, 'A link proposed it, and you confirmed it')
      address.focus()
    },
    onDrop: () => {
      showNothing()
      address.focus()
    },
  })
}

function read(settings: string, problem: string): Configured | undefined {
  try {
    return configure(settings)
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    if (client === undefined) say('Not configured')
    showFault(problem, error)
    return undefined
  }
}

function use(next: Client, chosenBy: string): void {
  const { chain, anchor } = next
  client = next
  origin = chosenBy
  say(`${chain.name} · trusts ${anchor.kind} ${anchor.hash.slice(0, 10)}… · ${chosenBy}`)
}

function say(text: string): void {
  byId('where', HTMLElement).textContent = printable(text)
}

async function ask(): Promise<void> {
  if (client === undefined) return
  running?.abort()
  running = new AbortController()
  const { signal } = running
  problem.hidden = true
  address.removeAttribute('aria-invalid')
  const asked = address.value.trim()
  try {
    showResult(asked, await getAccount(client, { address: asked, signal }), origin)
  } catch (error) {
    if (signal.aborted) return
    if (error instanceof InputError) {
      showNothing()
      problem.textContent = escaped(error.message)
      problem.hidden = false
      address.setAttribute('aria-invalid', 'true')
    } else if (error instanceof PlatformError) {
      showFault('This webview cannot check proofs', error)
    } else {
      throw error
    }
  }
}

let counted = 0

/** Keeps a visible record of what the app asks. */
function countCall(method: string): void {
  counted += 1
  calls.textContent = `${counted} ${counted === 1 ? 'call' : 'calls'} from the app, the last: ${printable(method, 40)}`
}

function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`the page has no #${id}`)
  return found
}
