/** A wallet to copy: it shows balances once the proofs hold, and says what these rest on. */

import type { Client, Result } from 'lightproof'
import { createClient, getBalance, InputError, indexedDbStore, sync } from 'lightproof'
import { options } from './config.js'
import { offerConnection } from './connect.js'
import { age, byId, parts, say } from './page.js'
import { hideContracts, showContracts } from './tokens.js'
import { showNodes, showTrust } from './trust.js'

const [form, address] = [byId('form', HTMLFormElement), byId('address', HTMLInputElement)]

// What was proven since the checkpoint is kept in this browser, and is verified again when loaded.
const opened = options().then((given) => createClient({ ...given, store: indexedDbStore() }))
let asked = new AbortController()

/** Follows the signed headers from the checkpoint. A balance needs them: this saves time. */
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
offerConnection((account) => {
  address.value = account
  form.requestSubmit()
})
follow().catch(fail)
