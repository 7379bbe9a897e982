/** What this wallet trusts, and which nodes it asks. The README has the four lines for mainnet. */

import { type ClientOptions, type DevnetConsensus, devnet } from 'lightproof'

/** What `npm start` writes to devnet.json, beside this page and as trusted as the page is. */
interface Devnet {
  readonly genesisHash: string
  readonly consensus: DevnetConsensus
  readonly checkpoint: string
  readonly nodes: readonly string[]
}

export async function options(): Promise<ClientOptions> {
  const file = await fetch('devnet.json')
  if (!file.ok) throw new Error('devnet.json is missing: run npm start, or configure src/config.ts')
  const local = (await file.json()) as Devnet
  return {
    chain: devnet(local.genesisHash, local.consensus),
    anchor: { checkpoint: local.checkpoint },
    nodes: local.nodes,
  }
}
