/** Another wallet in this browser: it is asked for its address and for nothing else. */

import { printable } from 'lightproof'
import { byId, say } from './page.js'

declare global {
  interface Window {
    /** A wallet that an extension injects (EIP-1193). */
    readonly ethereum?: { request(call: { readonly method: string }): Promise<unknown> }
  }
}

/** Offers the other wallet, if there is one; `use` takes its address. */
export function offerConnection(use: (address: string) => void): void {
  const connect = byId('connect', HTMLButtonElement)
  connect.hidden = window.ethereum === undefined
  connect.addEventListener('click', async () => {
    try {
      const accounts = await window.ethereum?.request({ method: 'eth_requestAccounts' })
      use(printable(String(Array.isArray(accounts) ? accounts[0] : accounts), 42))
    } catch (error) {
      const reason = error instanceof Error ? printable(error.message) : 'refused'
      say('problem', `Not connected: ${reason}`)
    }
  })
}
