/** This library under attack, pinned at a block that the honest node names. */

import { fetchProof } from '../actions/fetchProof.js'
import { getBlock } from '../actions/getBlock.js'
import { proven } from '../actions/proven.js'
import { type Chain, defineChain, devnet } from '../client/chains.js'
import { createClient } from '../client/client.js'
import { isRecord } from '../encoding/input.js'
import { RpcError } from '../result/errors.js'
import { toJson } from '../result/json.js'
import { parseEndpoints, parseLimits } from '../transport/endpoint.js'
import { httpNode, type Node } from '../transport/rpc.js'
import { UsageError } from './io.js'
import type { Subject } from './subject.js'

/** Blocks that the client walks back over, so that headers are lied about too. */
const WALK = 3n
/** Long enough for an honest node near by; a lie that drips ends after it. */
const TIMEOUT_MS = 4000

interface Situation {
  readonly chain: Chain
  readonly block: string
  readonly number: bigint
  readonly address: string
}

/**
 * The library as a subject: it proves a block, and an account with its code and two slots.
 *
 * @throws UsageError, or the node's own failure.
 */
export async function librarySubject(
  target: string,
  address: string | undefined,
  signal: AbortSignal,
): Promise<Subject> {
  const { chain, block, number, ...rest } = await look(target, address, signal)
  return async (url, limit) => {
    const client = createClient({
      chain,
      anchor: { block },
      nodes: [url],
      timeoutMs: TIMEOUT_MS,
      retries: 0,
    })
    try {
      const at = proven(await getBlock(client, { block: number, signal: limit }))
      const question = { address: rest.address, slots: [0n, 1n], code: true }
      const { expected } = await fetchProof(client, { ...question, at, signal: limit })
      return { ended: 'answered', output: JSON.stringify(toJson({ at, expected }), null, 1) }
    } catch (error) {
      const code = isRecord(error) && typeof error['code'] === 'string' ? error['code'] : 'fault'
      return { ended: 'refused', why: code }
    }
  }
}

/** What the honest node says: the tests' own word for what is true. */
async function look(
  target: string,
  address: string | undefined,
  signal: AbortSignal,
): Promise<Situation> {
  const [endpoint] = parseEndpoints([target], 'URL', parseLimits({}))
  if (endpoint === undefined) throw new UsageError('attack: no URL')
  const node = httpNode(endpoint)
  const ask = (method: string, ...params: readonly unknown[]): Promise<unknown> =>
    node.call({ method, params }, signal)
  const head = record(await ask('eth_getBlockByNumber', 'latest', false))
  const chain = await chainOf(node, ask)
  const number = BigInt(String(head['number']))
  const someone = address ?? String(head['miner'])
  if (/^0x0*$/.test(someone)) {
    throw new UsageError('attack: give --address 0x…, an account that the client is to ask about')
  }
  return {
    chain,
    block: String(head['hash']),
    number: number > WALK ? number - WALK : 0n,
    address: someone.toLowerCase(),
  }
}

async function chainOf(
  { name }: Node,
  ask: (method: string, ...params: readonly unknown[]) => Promise<unknown>,
): Promise<Chain> {
  const genesisHash = String(record(await ask('eth_getBlockByNumber', '0x0', false))['hash'])
  try {
    const { consensus } = record(await ask('lp_status'))
    return devnet(genesisHash, isRecord(consensus) ? (consensus as never) : undefined)
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
  }
  const chainId = Number(await ask('eth_chainId'))
  return defineChain({ name: `chain of ${name}`, kind: 'ethereum', chainId, genesisHash })
}

function record(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value
  throw new UsageError('attack: the honest node sent an unexpected reply: expected an object')
}
