/** What the live tests of all systems ask a node's chain. */

import { expect } from 'vitest'
import type { Hex } from '../../src/encoding/hex.js'
import { type Chain, type Client, createClient, devnet } from '../../src/entry/node.js'
import { type LiveNode, startNode } from './liveNode.js'

/** A client of a node's chain, or of what else it is taken for, that trusts the newest block. */
export function clientOf(node: LiveNode, chain: Chain = chainOf(node)): Client {
  return createClient({ chain, anchor: { block: node.head.hash }, nodes: [node.url] })
}

/** The chain that a node makes. */
export function chainOf({ genesisHash, consensus }: LiveNode): Chain {
  return devnet(genesisHash, consensus)
}

/** A slot of an account. */
export interface Place {
  readonly address: Hex
  readonly slot: Hex
}

/** Slots that the node calls worth asking for. */
export function placesOf({ samples }: LiveNode): Place[] {
  return samples.flatMap(({ address, slots }) => slots.map((slot) => ({ address, slot })))
}

/** Starts a node for each lie, asks it, and expects the code that the answer is rejected with, and evidence. */
export async function expectCaught(
  blocks: number,
  lies: Readonly<Record<string, string>>,
  ask: (liar: Client) => Promise<unknown>,
): Promise<void> {
  for (const [lie, code] of Object.entries(lies)) {
    const liar = await startNode(blocks, lie)
    try {
      const result = await ask(clientOf(liar))
      expect(result, lie).toMatchObject({ status: 'invalid', error: { code }, evidence: [{}] })
    } finally {
      await liar.stop()
    }
  }
}
