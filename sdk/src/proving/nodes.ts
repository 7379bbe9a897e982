/** Asking one node for untrusted bytes, in the dialect that its kind of chain speaks. */

import type { Chain } from '../client/chains.js'
import type { Client } from '../client/client.js'
import type { Learnt, NodeProfile } from '../client/profile.js'
import type { Hash } from '../encoding/input.js'
import { RpcError, UnavailableError } from '../result/errors.js'
import type { Desk, Question } from '../systems/system.js'
import { METHOD_NOT_FOUND, type RpcCall, sameCall } from '../transport/call.js'
import type { Node } from '../transport/rpc.js'
import { loadPart } from '../wasm/part.js'
import { checkChainId } from './chainId.js'
import type { HeaderDesk } from './ethereumHeaders.js'
import { BLOCK_BYTES } from './headerCall.js'
import type { Session } from './session.js'
import type { Setup } from './verifier.js'

/** Whom to ask, and for how long. */
type Call = Pick<Session, 'node' | 'signal' | 'ahead'> & {
  readonly client: Pick<Client, 'chain' | 'profiles'>
}

/** Headers of one exchange, until the node is known to serve them without their blocks. */
const HEADERS_PER_CALL = 32
const FORGET_MS = 600_000
const ofDevnet = (): Promise<typeof import('./devnetNode.js')> => import('./devnetNode.js')
const FIRST_LACK_MS = 2_000
/** Most bytes of answers: a chain id, a block with its hashes. */
export const MOST: { readonly [what in 'id' | 'status' | 'block']: number } = {
  id: 4_096,
  status: 65_536,
  block: BLOCK_BYTES,
}

/**
 * What the node is, asked once: does it serve the client's chain?
 *
 * @throws {@link UnavailableError} `chain`; `unsupported` where a devnet is wanted and the node has
 *   no `lp_status`.
 */
export async function profileOf({ client, node, signal }: Call): Promise<NodeProfile> {
  const known = client.profiles.get(node.name)
  // The clock may be set back.
  if (known !== undefined && Math.abs(Date.now() - known.probedAt) < FORGET_MS) return known
  const { chain } = client
  const learnt =
    chain.kind !== 'ethereum'
      ? await loadPart(ofDevnet).then(({ probeDevnet }) => probeDevnet(chain, node, signal))
      : await probeEthereum(chain, node, signal)
  const profile: NodeProfile = { ...learnt, lacks: new Map(), probedAt: Date.now() }
  client.profiles.set(node.name, profile)
  return profile
}

async function probeEthereum(chain: Chain, node: Node, signal: Call['signal']): Promise<Learnt> {
  const call = { method: 'eth_chainId', params: [], maxBytes: MOST.id }
  checkChainId(chain, node, await node.call(call, signal))
  return { headersPerCall: HEADERS_PER_CALL, takesBlockHash: undefined, systems: undefined }
}

/** A question about a block. */
interface Wanted {
  readonly setup: Setup
  readonly block: bigint
  readonly question: Pick<Question, 'shards'>
}

/** The part of a question that the node proves, if it said that it proves no more. */
export async function partFor(
  session: Session,
  setup: Setup,
  question: Question,
): Promise<Question> {
  const { systems } = await profileOf(session)
  const shard = systems?.get(setup.system.name)?.shard
  return (shard && question.within?.(setup, shard)) ?? question
}

/**
 * Spares the node a question that it said it cannot answer.
 *
 * @throws {@link UnavailableError} `unsupported`; `shard`; `window` for a block that left its
 *   window, which only moves on.
 */
export async function checkOffer(
  session: Session,
  { setup, block, question }: Wanted,
): Promise<void> {
  const { name, variants } = setup.system
  const { systems } = await profileOf(session)
  if (systems === undefined) return
  const { name: node } = session.node
  const offer = systems.get(name)
  if (offer === undefined) throw new UnavailableError('unsupported', `${node} serves no ${name}`)
  const { window, shard, variants: served } = offer
  if (served !== undefined && !variants.some((variant) => served.includes(variant))) {
    const problem = `${node} serves ${name} as ${served.join(', ')}, not as ${variants.join(' or ')}`
    throw new UnavailableError('unsupported', problem)
  }
  const missing =
    shard && question.shards?.(setup, shard.bits).find((index) => index !== shard.index)
  if (missing !== undefined) {
    const [own, other] = [shard?.index, missing].map(
      (index) => `${index}/${2 ** (shard?.bits ?? 0)}`,
    )
    throw new UnavailableError('shard', `${node} proves shard ${own} of ${name}, not ${other}`)
  }
  if (window === undefined || block >= window.from) return
  const problem = `${node} proves ${name} of blocks ${window.from} and later, not of ${block}`
  throw new UnavailableError('window', problem)
}

/**
 * One call, unless the node lacks the method: one that it did not know is asked for again after 2
 * seconds, and four times as long each time, for a gateway may say so of a backend that is away.
 *
 * @throws RpcError, TransportError, or the signal's reason.
 */
export async function ask({ client, node, signal, ahead }: Call, call: RpcCall): Promise<unknown> {
  const lacks = client.profiles.get(node.name)?.lacks
  const { method } = call
  const lack = lacks?.get(method)
  if (lack !== undefined && Date.now() < lack.until) throw lack.error
  try {
    const key = sameCall(call)
    const early = ahead?.get(key)
    ahead?.delete(key)
    const result = await (early ?? node.call(call, signal))
    lacks?.delete(method)
    return result
  } catch (error) {
    // By its number alone: in words, plain nodes call much else unsupported.
    if (error instanceof RpcError && error.rpcCode === METHOD_NOT_FOUND) {
      const ms = Math.min((lack?.ms ?? FIRST_LACK_MS / 4) * 4, FORGET_MS)
      lacks?.set(method, { error, ms, until: Date.now() + ms })
    }
    throw error
  }
}

/** How headers are asked for. */
export const headersOf = ({
  client,
}: Pick<Call, 'client'>): Promise<typeof import('./ethereumHeaders.js')> =>
  loadPart(client.chain.kind === 'ethereum' ? () => import('./ethereumHeaders.js') : ofDevnet)

/**
 * RLP of the header with this hash. The caller links it: nothing here is trusted.
 *
 * @throws {@link UnavailableError} `block` if the node does not know it; {@link ProofError}.
 */
export async function headerByHash(session: Session, hash: Hash): Promise<Uint8Array> {
  const dialect = await headersOf(session)
  const rlp = await dialect.headerByHash(deskOf(session), hash)
  if (rlp !== undefined) return rlp
  throw new UnavailableError('block', `${session.node.name} does not know block ${hash}`)
}

/**
 * RLPs of headers that end below block `below`, newest first: as many as one exchange brings of the
 * next `distance`, or more. The caller links them.
 */
export async function headersBelow(
  session: Session,
  below: bigint,
  distance: bigint,
): Promise<Uint8Array[]> {
  const dialect = await headersOf(session)
  return dialect.headersBelow(deskOf(session), below, distance)
}

/** A block, as far as nodes are asked for one. */
export type BlockId = { readonly number: bigint; readonly hash: Hash }

/** The session's node as a system asks it. */
export function deskOf(session: Session): Desk & HeaderDesk {
  const { client, node, signal } = session
  return {
    node: node.name,
    signal,
    cache: client.cache,
    call: (call) => ask(session, call),
    batch: (calls) => node.batch(calls, signal),
    profile: () => profileOf(session),
  }
}
