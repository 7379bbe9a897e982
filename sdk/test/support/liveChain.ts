/** What the live tests of all systems ask a node's chain. */

import { expect } from 'vitest'
import type { Hex } from '../../src/encoding/hex.js'
import { type Chain, type Client, createClient, devnet } from '../../src/entry/node.js'
import { type LiveNode, lying } from './liveNode.js'

/** A client of a node's chain, or of what else it is taken for, that trusts the newest block. */
export function clientOf(node: LiveNode, chain: Chain = chainOf(node)): Client {
  // A loaded machine is no liar.
  const timeoutMs = 30_000
  return createClient({ chain, anchor: { block: node.head.hash }, nodes: [node.url], timeoutMs })
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

/**
 * Asks the node where it tells each lie, and expects the code that the answer is rejected with, and
 * evidence.
 */
export async function expectCaught(
  node: LiveNode,
  lies: Readonly<Record<string, string>>,
  ask: (liar: Client) => Promise<unknown>,
): Promise<void> {
  for (const [lie, code] of Object.entries(lies)) {
    const result = await ask(clientOf(lying(node, lie)))
    expect(result, lie).toMatchObject({ status: 'invalid', error: { code }, evidence: [{}] })
  }
}
