/** Clients of scripted nodes. */

import { type Client, type ClientOptions, createClient } from '../../src/entry/node.js'
import type { TestChain } from './chain.js'
import { type Methods, type Script, scriptedFetch } from './rpc.js'

/** Keeps nothing of proofs: nodes are asked each time. */
export const ASKING = { cacheBytes: 0 } as const

/** A client of scripted nodes http://n1, http://n2, … pinned at the chain's head. */
export function clientOf(
  chain: TestChain,
  nodes: readonly Methods[],
  options: Partial<ClientOptions> = {},
): Script & { readonly client: Client } {
  const origins = nodes.map((_, i) => `http://n${i + 1}`)
  const script = scriptedFetch(Object.fromEntries(origins.map((o, i) => [o, nodes[i] ?? {}])))
  const client = createClient({
    chain: chain.chain,
    anchor: { block: chain.head.hash },
    nodes: origins,
    fetch: script.fetch,
    retries: 0,
    ...options,
  })
  return { client, ...script }
}
