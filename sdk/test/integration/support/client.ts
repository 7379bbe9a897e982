/** Clients of the development chain. */

import { type Client, type ClientOptions, createClient, defineChain, type Result } from 'lightproof'
import { DEV_CHAIN_ID } from './genesis.js'
import { hashOf } from './rpc.js'

/**
 * A client that pins a block of the development chain, by a hash taken from the node itself: the
 * tests' own word.
 *
 * @param through - where it asks, if not at the node itself.
 */
export async function devClient(
  node: string,
  pin: number,
  through: string = node,
  options: Partial<ClientOptions> = {},
): Promise<Client> {
  const genesisHash = await hashOf(node, 0)
  const chain = defineChain({ name: 'dev', kind: 'ethereum', chainId: DEV_CHAIN_ID, genesisHash })
  const anchor = { block: await hashOf(node, pin) }
  return createClient({ chain, anchor, nodes: [through], ...options })
}

/** Status and value, or status and code: what a test compares. */
export function outcome(result: Result<unknown, unknown>): readonly [string, unknown] {
  return [result.status, 'value' in result ? result.value : result.error.code]
}
