/** One page for a native app's webview: the bridge that the app calls, and a small screen of its own. */

// For checkpoints; an app that pins a block leaves it out, and the page is 260 KB smaller.
import 'lightproof/inline/light'
import { type Client, getAccount, InputError, PlatformError, serveBridge } from 'lightproof/inline'
import { configure } from './settings.js'
import { showFault, showNothing, showResult } from './view.js'

const form = byId('form', HTMLFormElement)
const address = byId('address', HTMLInputElement)
const problem = byId('problem', HTMLElement)
const calls = byId('calls', HTMLElement)

let client: Client | undefined
let origins: readonly string[] = []
let stopBridge: (() => void) | undefined
let running: AbortController | undefined

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void ask()
})
addEventListener('hashchange', start)
addEventListener('message', countCall)
start()

/** Follows the shell's configuration; a new one replaces the client and the bridge. */
function start(): void {
  running?.abort()
  stopBridge?.()
  client = undefined
  stopBridge = undefined
  showNothing()
  const where = byId('where', HTMLElement)
  try {
    const configured = configure(location.hash)
    where.textContent = 'Waiting for the app'
    if (configured === undefined) return
    client = configured.client
    origins = configured.origins
    stopBridge = serveBridge(client, window, { origins })
    where.textContent = `${client.chain.name} · trusts ${client.anchor.kind} ${client.anchor.hash.slice(0, 10)}…`
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    where.textContent = 'Not configured'
    showFault('The app configured this page wrongly', error)
  }
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
    showResult(asked, await getAccount(client, { address: asked, signal }))
  } catch (error) {
    if (signal.aborted) return
    if (error instanceof InputError) {
      showNothing()
      problem.textContent = error.message
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

/** Keeps a visible record of what the app asks; the bridge itself answers, and ignores strangers as this does. */
function countCall({ data, source, origin }: MessageEvent): void {
  const method = methodOf(data)
  const isAllowed = source === null || source === window || origins.includes(origin)
  if (method === undefined || client === undefined || !isAllowed) return
  counted += 1
  calls.textContent = `${counted} ${counted === 1 ? 'call' : 'calls'} from the app, the last: ${method}`
}

function methodOf(data: unknown): string | undefined {
  try {
    const message: unknown = typeof data === 'string' ? JSON.parse(data) : data
    if (typeof message !== 'object' || message === null || !('method' in message)) return undefined
    return String(message.method)
  } catch {
    return undefined
  }
}

function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`the page has no #${id}`)
  return found
}
