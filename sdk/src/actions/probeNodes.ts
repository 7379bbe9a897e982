import type { Client } from '../client/client.js'
import type { NodeProfile } from '../client/profile.js'
import { toHex, toQuantity } from '../encoding/hex.js'
import { asHash, asInteger, asRecord } from '../encoding/untrusted.js'
import { isNodeError } from '../proving/failures.js'
import { ask, profileOf } from '../proving/nodes.js'
import { RpcError } from '../result/errors.js'
import { defaultSystem } from '../systems/default.js'
import { noteFailure } from '../transport/health.js'
import type { Node } from '../transport/rpc.js'
import { parseParameters, parseSignal } from './parameters.js'
import { type NodeReport, reportNodes } from './reportNodes.js'

/** How to probe. */
export interface ProbeParameters {
  /** Aborts the action, which then throws the signal's reason. */
  readonly signal?: AbortSignal
}

/** How many blocks full nodes of the usual kinds keep proofs for: asked about first. */
const DEPTHS = [64n, 127n, 8_191n, 90_000n]
const NOBODY = toHex(new Uint8Array(20))

/**
 * Asks every node what it serves, all at once: which chain, which systems and blocks, and, of plain
 * Ethereum nodes, whether it knows `eth_getProof` and `eth_getCode`, by block hash or by number,
 * and how far back. The client remembers it and asks no node what it does not serve. Nothing that a
 * node says here makes trust.
 *
 * @returns what is known of each node then, as `reportNodes`; a node that failed has no profile,
 *   and `lastCode`.
 * @throws InputError, PlatformError, or the reason of an aborted signal.
 */
export async function probeNodes(
  client: Client,
  parameters: ProbeParameters = {},
): Promise<NodeReport[]> {
  const signal = parseSignal(parseParameters(client, parameters, ['signal']).signal)
  await Promise.all(client.nodes.map((node) => probe(client, node, signal)))
  return reportNodes(client)
}

async function probe(client: Client, node: Node, signal: AbortSignal | undefined): Promise<void> {
  client.profiles.delete(node.name)
  try {
    const profile = await profileOf({ client, node, signal })
    if (client.chain.kind === 'ethereum') await probeProofs({ client, node, signal }, profile)
  } catch (error) {
    signal?.throwIfAborted()
    if (!isNodeError(error)) throw error
    // A malformed answer to a probe is no bad proof.
    if (error.name === 'ProofError') node.health.lastCode = error.code
    else noteFailure(node, error, undefined, undefined)
  }
}

type Call = Parameters<typeof ask>[0]

async function probeProofs(call: Call, profile: NodeProfile): Promise<void> {
  const json = await ask(call, { method: 'eth_getBlockByNumber', params: ['latest', false] })
  const block = asRecord(json, 'block')
  const head = asInteger(block['number'], 'block.number')
  const blockHash = asHash(block['hash'], 'block.hash')
  profile.takesBlockHash = await takes(call, 'eth_getProof', [NOBODY, [], { blockHash }])
  await takes(call, 'eth_getCode', [NOBODY, 'latest'])
  const depth = await historyOf(call, head)
  const window = depth === undefined ? undefined : { from: head - depth, to: head }
  const offer = { window, shard: undefined, variants: undefined }
  profile.systems = new Map(window === undefined ? [] : [[defaultSystem.name, offer]])
}

/** How many blocks behind the head proofs go back; undefined without any. */
async function historyOf(call: Call, head: bigint): Promise<bigint | undefined> {
  const proves = (depth: bigint): Promise<boolean> =>
    takes(call, 'eth_getProof', [NOBODY, [], toQuantity(head - depth)])
  if (!(await proves(0n))) return undefined
  let served = 0n
  let refused = head + 1n
  const halves = function* (): Generator<bigint> {
    yield* DEPTHS
    yield head
    while (refused - served > 1n) yield (served + refused) / 2n
  }
  for (const depth of halves()) {
    if (depth <= served || depth >= refused) continue
    if (await proves(depth)) served = depth
    else refused = depth
  }
  return served
}

async function takes(call: Call, method: string, params: readonly unknown[]): Promise<boolean> {
  try {
    return (await ask(call, { method, params })) !== null
  } catch (error) {
    if (error instanceof RpcError && error.code !== 'rpc.limit') return false
    throw error
  }
}
