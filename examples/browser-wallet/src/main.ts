/** A wallet to copy: it shows balances once the proofs hold, and says what these rest on. */

import type { Client, Result, Trust } from 'lightproof'
import { createClient, getBalance, InputError, indexedDbStore, printable, sync } from 'lightproof'
import { reportNodes } from 'lightproof/nodes'
import { options } from './config.js'
import { age, byId, list, parts, say } from './page.js'
import { hideContracts, showContracts } from './tokens.js'

declare global {
  interface Window {
    /** A wallet that an extension injects (EIP-1193). It only tells which address to ask about. */
    readonly ethereum?: { request(call: { readonly method: string }): Promise<unknown> }
  }
}

const [form, address] = [byId('form', HTMLFormElement), byId('address', HTMLInputElement)]
const connect = byId('connect', HTMLButtonElement)

// What was proven since the checkpoint stays in this browser, and is verified again when loaded.
const opened = options().then((given) => createClient({ ...given, store: indexedDbStore() }))
let asked = new AbortController()

/**
 * Follows the signed headers from the checkpoint. A balance needs that; to begin early saves time.
 */
async function follow(): Promise<void> {
  const client = await opened
  say('chain', client.chain.name)
  say('checkpoint', client.anchor.hash)
  showNodes(client)
  const synced = await sync(client)
  showNodes(client)
  if (synced.status === 'synced') say('age', `pinned, ${age(synced.anchor.ageSeconds)}`)
  else if (document.body.dataset['status'] === 'idle') show(client, synced)
}

/** Proves the balance of an account. A newer question ends an older one. */
async function ask(account: string): Promise<void> {
  asked.abort()
  asked = new AbortController()
  const { signal } = asked
  try {
    const client = await opened
    hideContracts()
    show(client)
    const result = await getBalance(client, { address: account, signal })
    if (signal.aborted) return
    show(client, result)
    await showContracts(client, account, signal)
  } catch (error) {
    if (!signal.aborted) fail(error)
  }
}

/** Shows a result; none while it is on its way. There is a number only where it is proven. */
function show(client: Client, result?: Result<bigint, 0n>): void {
  const [whole, fraction] = result && 'value' in result ? parts(result.value) : ['', '']
  const error = result && 'error' in result ? result.error : undefined
  setStatus(result?.status ?? 'working', error?.code)
  say('whole', whole)
  say('fraction', fraction)
  say('why', error?.message ?? '')
  say('problem', '')
  address.ariaInvalid = 'false'
  showTrust(result && 'trust' in result ? result.trust : undefined)
  showNodes(client)
}

function setStatus(status: string, code = ''): void {
  Object.assign(document.body.dataset, { status, code })
  say('status', code === '' ? status : `${status}: ${code}`)
}

/**
 * Marks each step from the checkpoint to the balance as proven or not, as the trust report does.
 */
function showTrust(trust?: Trust): void {
  for (const { dataset } of document.querySelectorAll<HTMLElement>('[data-part]')) {
    const isIn = (parts?: readonly string[]) => parts?.includes(dataset['part'] ?? '') === true
    dataset['state'] = isIn(trust?.proved) ? 'proven' : isIn(trust?.notProved) ? 'open' : ''
  }
  const { block, finality, participation, servedBy } = trust ?? {}
  say('block', block ? `Block ${block.number}, ${finality}, ${age(block.ageSeconds)}` : '')
  say('signed', participation ? `signed by ${participation.signed} of ${participation.of}` : '')
  say('server', servedBy ? `proof from ${servedBy}` : '')
}

/** Names the nodes that are asked, and those that lied, also if another one then told the truth. */
function showNodes(client: Client): void {
  const nodes = reportNodes(client).map(({ name, state, badProof }): [string, string] => {
    const said = badProof ? `${name} lied (${badProof.error.code})` : `${name}: ${state}`
    return [printable(said), state]
  })
  list('nodes', nodes)
  const liars = nodes.filter(([, state]) => state === 'setAside').map(([text]) => text)
  say('lied', liars.length === 0 ? '' : `Set aside: ${liars.join(', ')}`)
}

/** A mistake in the address is shown at its field. After any other error nothing can be checked. */
function fail(error: unknown): void {
  const isField = error instanceof InputError && error.argument === 'address'
  setStatus(isField ? 'idle' : 'error')
  say(isField ? 'problem' : 'why', error instanceof Error ? error.message : String(error))
  if (!isField) return
  address.ariaInvalid = 'true'
  address.focus()
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  ask(address.value.trim())
})

connect.hidden = window.ethereum === undefined
connect.addEventListener('click', async () => {
  try {
    const accounts = await window.ethereum?.request({ method: 'eth_requestAccounts' })
    address.value = printable(String(Array.isArray(accounts) ? accounts[0] : accounts), 42)
    form.requestSubmit()
  } catch (error) {
    say(
      'problem',
      `Not connected: ${error instanceof Error ? printable(error.message) : 'refused'}`,
    )
  }
})

follow().catch(fail)
