/** Nodes at local servers, closed after each test. */

import { afterEach } from 'vitest'
import { mainnet } from '../../src/client/chains.js'
import { createClient } from '../../src/client/client.js'
import type { ClientOptions } from '../../src/client/options.js'
import type { Node } from '../../src/transport/rpc.js'
import { serve, type TestServer } from './server.js'

const servers: TestServer[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

/** A server that answers as given, and the node at it. */
export async function nodeAt(
  answer: Parameters<typeof serve>[0],
  options: Partial<ClientOptions> = {},
): Promise<{ node: Node; server: TestServer }> {
  const server = await serve(answer)
  servers.push(server)
  return { server, node: nodeOf(server.url, options) }
}

/** The node at a URL. */
export function nodeOf(url: string, options: Partial<ClientOptions> = {}): Node {
  const anchor = { block: mainnet.genesisHash }
  const client = createClient({ chain: mainnet, anchor, nodes: [url], retries: 0, ...options })
  const [node] = client.nodes
  if (node === undefined) throw new Error('no node')
  return node
}

/** A call. */
export const CALL = { method: 'eth_chainId', params: [] }
/** Makes the call. */
export const ask = (node: Node, signal?: AbortSignal): Promise<unknown> => node.call(CALL, signal)
