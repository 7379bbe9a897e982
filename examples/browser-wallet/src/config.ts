/** What this wallet trusts, and which nodes it asks. The README has what to write for mainnet. */

import { type ClientOptions, type DevnetConsensus, devnet } from 'lightproof'

/** A token (ERC-20) whose balance is shown. */
export interface Token {
  readonly symbol: string
  readonly address: string
  readonly decimals: number
}

/** The devnet runs no contracts, so it has no tokens. */
export const tokens: readonly Token[] = []

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
