/** The service worker of an extension: the browser ends it at will, and what it proved is there when it starts again. */

// @ts-expect-error The tests' types are those of Node.js, which has no IndexedDB.
import { createClient, devnet, getBalance, indexedDbStore } from 'lightproof'

/** A message of the extension's page: plain JSON. */
export interface Asked {
  readonly genesisHash: string
  readonly consensus: { readonly committeeSize: number; readonly periodLength: number }
  readonly node: string
  readonly address: string
}

/** What it found out. */
export interface Told {
  readonly status: string
  readonly balance: string
  readonly headersFrom: readonly string[]
  /** Another one after each start. */
  readonly life: number
}

type Listener = (message: Asked, sender: unknown, reply: (told: Told) => void) => boolean

declare const chrome: {
  readonly runtime: { readonly onMessage: { addListener(listener: Listener): void } }
}

const life = Math.random()

async function answer({ genesisHash, consensus, node, address }: Asked): Promise<Told> {
  const client = createClient({
    chain: devnet(genesisHash, consensus),
    anchor: { checkpoint: genesisHash, maxAgeSeconds: Number.POSITIVE_INFINITY },
    nodes: [node],
    store: indexedDbStore(),
  })
  const result = await getBalance(client, { address })
  const isProven = result.status === 'present' || result.status === 'absent'
  return {
    status: isProven ? result.status : `${result.status} ${result.error.code}`,
    balance: isProven ? String(result.value) : '',
    headersFrom: isProven ? result.trust.headersFrom : [],
    life,
  }
}

chrome.runtime.onMessage.addListener((message, _sender, reply) => {
  answer(message).then(reply, (error: unknown) =>
    reply({ status: `threw ${error}`, balance: '', headersFrom: [], life }),
  )
  return true
})
