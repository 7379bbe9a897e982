import { type Chain, defineChain } from '../client/chains.js'
import { fromQuantity } from '../encoding/hex.js'
import { parseOptions, shown } from '../encoding/input.js'
import type { Fetch } from '../encoding/platform.js'
import { asHash, asRecord } from '../encoding/untrusted.js'
import type { Fork } from '../evm/forks.js'
import { MOST } from '../proving/nodes.js'
import { InputError } from '../result/errors.js'
import { parseEndpoints, parseLimits } from '../transport/endpoint.js'
import { httpNode } from '../transport/rpc.js'
import { isPublic } from './publicChains.js'

/** Options of {@link chainOf}. */
export interface ChainOfOptions {
  /** For people. Default `dev`. */
  readonly name?: string
  /** Since when its blocks follow which rules: for calls (`lightproof/evm`). */
  readonly forks?: readonly Fork[]
  /** Replaces `globalThis.fetch`. */
  readonly fetch?: Fetch
  /** Ends it: it then throws the signal's reason. */
  readonly signal?: AbortSignal
}

/**
 * The chain of a development node (`geth --dev`, anvil), by the node's own word: its id, and the hash
 * of its block 0, which changes whenever such a node starts anew.
 *
 * @example
 * const chain = await chainOf('http://127.0.0.1:8545')
 *
 * @throws InputError for a malformed argument or a public chain, whose configuration no node is to
 *   say; what the transport throws.
 */
export async function chainOf(url: string | URL, options: ChainOfOptions = {}): Promise<Chain> {
  const given = parseOptions(options, 'options', ['name', 'forks', 'fetch', 'signal'])
  const { name = 'dev', forks, signal } = options
  const [node] = parseEndpoints([url], 'url', parseLimits({ fetch: given.fetch })).map(httpNode)
  if (node === undefined) throw new TypeError('there is one URL')
  const [id, block] = await node.batch(
    [
      { method: 'eth_chainId', params: [], maxBytes: MOST.id },
      { method: 'eth_getBlockByNumber', params: ['0x0', false], maxBytes: MOST.block },
    ],
    signal,
  )
  const chainId = Number(fromQuantity(id))
  const genesisHash = asHash(asRecord(block, 'eth_getBlockByNumber')['hash'], 'hash of block 0')
  if (isPublic({ chainId, genesisHash })) {
    const problem = `${node.name} serves chain ${shown(chainId)}, which is public: take its configuration from your own code, such as mainnet from 'lightproof'`
    throw new InputError('input.chain', 'url', problem)
  }
  return defineChain({ name, kind: 'ethereum', chainId, genesisHash, ...(forks && { forks }) })
}
