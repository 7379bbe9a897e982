/** What this extension trusts, and which nodes it asks. The README says how to ask mainnet's. */

import { type ClientOptions, type DevnetConsensus, devnet } from 'lightproof'

/** What `npm start` writes to devnet.json, in this extension and as trusted as it is. */
interface Devnet {
  readonly genesisHash: string
  readonly consensus: DevnetConsensus
  readonly checkpoint: string
  readonly nodes: readonly string[]
}

export async function options(): Promise<ClientOptions> {
  const local = (await (await fetch('/devnet.json')).json()) as Devnet
  return {
    chain: devnet(local.genesisHash, local.consensus),
    anchor: { checkpoint: local.checkpoint },
    nodes: local.nodes,
  }
}
