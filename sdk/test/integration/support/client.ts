/** Clients of the development chain. */

import { type Client, createClient, defineChain, type Result } from 'lightproof'
import { DEV_CHAIN_ID } from './genesis.js'
import { hashOf } from './rpc.js'

/**
 * A client that pins a block of the development chain, by a hash taken from the node itself: the tests' own word.
 *
 * @param through - where it asks, if not at the node itself.
 */
export async function devClient(
  node: string,
  pin: number,
  through: string = node,
): Promise<Client> {
  const genesisHash = await hashOf(node, 0)
  const chain = defineChain({ name: 'dev', kind: 'ethereum', chainId: DEV_CHAIN_ID, genesisHash })
  return createClient({ chain, anchor: { block: await hashOf(node, pin) }, nodes: [through] })
}

/** Status and value, or status and code: what a test compares. */
export function outcome(result: Result<unknown, unknown>): readonly [string, unknown] {
  return [result.status, 'value' in result ? result.value : result.error.code]
}
