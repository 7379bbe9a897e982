/** Asks about one account, of the node or of what an earlier visit of this page kept. */

import {
  createClient,
  type DevnetConsensus,
  devnet,
  getBalance,
  getBlock,
  getCode,
  getNonce,
  indexedDbStore,
  type Store,
} from 'lightproof/inline'
import { publish } from './publish.js'

/** What the page is to ask, and of whom. */
export interface KeptQuestion {
  readonly node: string
  readonly genesisHash: string
  readonly consensus: DevnetConsensus
  readonly block: string
  readonly address: string
}

/** Who answered, one question after the other, and how many proofs were fetched. */
export interface KeptReport {
  readonly served: readonly string[]
  readonly fetched: number
}

publish(run())

async function run(): Promise<KeptReport> {
  const text = document.getElementById('vectors')?.textContent ?? ''
  const { node, genesisHash, consensus, block, address } = JSON.parse(text) as KeptQuestion
  const { store, saved } = watched(indexedDbStore())
  let fetched = 0
  const client = createClient({
    chain: devnet(genesisHash, consensus),
    anchor: { block },
    nodes: [node],
    store,
    fetch: (input, init) => {
      fetched += String(init?.body).split('"eth_getProof"').length - 1
      return fetch(input, init)
    },
  })
  // Whoever knows the header knows the root that what is kept hangs on.
  await getBlock(client)
  const served: string[] = []
  for (const ask of [getBalance, getNonce, getCode]) {
    const result = await ask(client, { address })
    served.push('trust' in result ? result.trust.servedBy : result.status)
  }
  if (fetched > 0) await saved
  return { served, fetched }
}

/** A store, and when it has been written to. */
function watched(store: Store): { readonly store: Store; readonly saved: Promise<void> } {
  let save = store.save
  const saved = new Promise<void>((resolve, reject) => {
    save = (key, bytes) => {
      const done = store.save(key, bytes)
      done.then(resolve, reject)
      return done
    }
  })
  return { store: { ...store, save: (key, bytes) => save(key, bytes) }, saved }
}
