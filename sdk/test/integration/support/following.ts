/**
 * Clients that follow a development chain, which has no committees; in Node.js and in pages. The
 * caller imports an entry.
 */

import { defineChain as viemChain } from 'viem'
import { defineChain } from '../../../src/client/chains.js'
import { type Client, createClient } from '../../../src/client/client.js'
import type { ClientOptions } from '../../../src/client/options.js'
import { type Hash, parseHash } from '../../../src/encoding/input.js'
import type { Light } from '../../../src/light/light.js'
import { type Line, MAX_LINES } from '../../../src/proving/line.js'
import { DEV_CHAIN_ID } from './genesis.js'
import { hashOf, rpc } from './rpc.js'

/** The development chain, for viem and wagmi. */
export const viemDev = viemChain({
  id: DEV_CHAIN_ID,
  name: 'dev',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
})

/** Clients of one chain, and what ends their following. */
export interface Followers {
  /** A client of these nodes, which asks them alone. */
  of(nodes: readonly string[], options?: Partial<ClientOptions>): Promise<Client>
  stop(): void
}

/** How deep a block is when the tests call it final. */
const FINAL_DEPTH = 3
const POLL_MS = 50

const trusted = async (url: string, number: number): Promise<Hash> =>
  parseHash(await hashOf(url, number), 'hash', 'input.block')

/**
 * The test itself says which block is signed, as geth tells it, and that the client has just
 * synced; a block is final when it is {@link FINAL_DEPTH} blocks deep.
 *
 * @param oracle - a node whose word the test takes.
 */
export function followers(oracle: string): Followers {
  const end = new AbortController()
  const of = async (nodes: readonly string[], options: Partial<ClientOptions> = {}) => {
    const genesisHash = await hashOf(oracle, 0)
    const forks = [{ rules: 'osaka', block: 0, blobFraction: 5_007_716 }] as const
    const named = { name: 'dev', kind: 'ethereum', chainId: DEV_CHAIN_ID } as const
    const client = createClient({
      chain: defineChain({ ...named, genesisHash, forks }),
      anchor: { block: genesisHash },
      nodes: [...nodes],
      timeoutMs: 30_000,
      ...options,
    })
    const light = {
      state: undefined,
      checkpointTime: undefined,
      tried: [],
      chain: {},
      get syncedAt() {
        return Date.now()
      },
    } as unknown as Light
    const lines: Client['lines'] = []
    const lineOf = (hash: Hash, finality: 'finalized' | 'head'): Line => {
      const headers = lines.find((line) => line.hash === hash)?.headers ?? []
      return { hash, finality, headers, ...(finality === 'head' && { isHead: true }) }
    }
    const trust = async (): Promise<void> => {
      const number = Number(await rpc(oracle, 'eth_blockNumber'))
      const numbers = [Math.max(number - FINAL_DEPTH, 0), number]
      const [final, head] = await Promise.all(numbers.map((of) => trusted(oracle, of)))
      if (final === undefined || head === undefined || lines[1]?.hash === head) return
      const newest = final === head ? [] : [lineOf(head, 'head')]
      const older = lines.filter(({ hash, isHead }) => hash !== final && isHead !== true)
      lines.splice(0, lines.length, lineOf(final, 'finalized'), ...newest, ...older)
      lines.length = Math.min(lines.length, MAX_LINES)
    }
    // One look after the other: a slow one would else put an older head in the place of a newer one.
    const follow = async (): Promise<void> => {
      while (!end.signal.aborted) {
        await trust().catch(() => undefined)
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      }
    }
    await trust()
    void follow()
    return {
      ...client,
      lines,
      light,
      anchor: { ...client.anchor, kind: 'checkpoint' },
    } as Client
  }
  return { of, stop: () => end.abort() }
}
