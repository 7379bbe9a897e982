/** Asking one node for untrusted bytes, in the dialect that its kind of chain speaks. */

import { type Chain, isSystem } from '../chains.js'
import type { Client, NodeOffer, NodeProfile } from '../client.js'
import { type Hex, toHex, toQuantity } from '../encoding/hex.js'
import { type Address, type Hash, isRecord, printable } from '../encoding/input.js'
import { asBytes, asHash, asInteger, asList, asRecord } from '../encoding/untrusted.js'
import { ProofError, RpcError, UnavailableError } from '../errors.js'
import { encodeHeader } from '../ethereum/header.js'
import { encodeProof } from '../ethereum/proof.js'
import type { ProofFile } from '../file.js'
import type { Question } from '../systems/system.js'
import type { Node, RpcCall } from '../transport/rpc.js'
import { hashesTo, type Setup } from './verifier.js'

/** One node in one action. */
export interface Session {
  readonly client: Client
  readonly node: Node
  readonly signal: AbortSignal | undefined
  /** Bad proofs of the action's nodes so far. */
  readonly evidence: ProofFile[]
}

/** Whom to ask, and for how long. */
type Call = Pick<Session, 'node' | 'signal'> & {
  readonly client: Pick<Client, 'chain' | 'profiles'>
}

/** Blocks whose JSON one batch asks for: each brings its list of transaction hashes. */
const BLOCKS_PER_BATCH = 32
const MAX_HEADERS_PER_CALL = 256
const FORGET_MS = 600_000
const MAX_VARIANTS = 16
const METHOD_NOT_FOUND = -32601

/**
 * What the node is, asked once: does it serve the client's chain?
 *
 * @throws {@link UnavailableError} `chain`; `unsupported` where a devnet is wanted and the node has no `lp_status`.
 */
export async function profileOf({ client, node, signal }: Call): Promise<NodeProfile> {
  const known = client.profiles.get(node.name)
  // The clock may be set back.
  if (known !== undefined && Math.abs(Date.now() - known.probedAt) < FORGET_MS) return known
  const { chain } = client
  const learnt =
    chain.kind === 'devnet'
      ? await probeDevnet(chain, node, signal)
      : await probeEthereum(chain, node, signal)
  const profile: NodeProfile = { ...learnt, lacks: new Map(), probedAt: Date.now() }
  client.profiles.set(node.name, profile)
  return profile
}

type Learnt = Omit<NodeProfile, 'lacks' | 'probedAt'>

async function probeEthereum(chain: Chain, node: Node, signal: Call['signal']): Promise<Learnt> {
  const id = asInteger(await node.call({ method: 'eth_chainId', params: [] }, signal), 'chainId')
  checkChainId(chain, node, id)
  return { headersPerCall: BLOCKS_PER_BATCH, takesBlockHash: undefined, systems: undefined }
}

async function probeDevnet(chain: Chain, node: Node, signal: Call['signal']): Promise<Learnt> {
  const status = asRecord(await node.call({ method: 'lp_status', params: [] }, signal), 'lp_status')
  const { chainId } = status
  const id = Number.isSafeInteger(chainId) ? BigInt(chainId as number) : undefined
  checkChainId(chain, node, id ?? asInteger(chainId, 'lp_status.chainId'))
  const genesis = asHash(status['genesisHash'], 'lp_status.genesisHash')
  if (genesis !== chain.genesisHash) {
    const problem = `${node.name} serves a chain with genesis ${genesis}, not ${chain.genesisHash}`
    throw new UnavailableError('chain', problem)
  }
  const limits = asRecord(status['limits'], 'lp_status.limits')
  const { headers } = limits
  const most = typeof headers === 'number' && headers >= 1 ? Math.trunc(headers) : 1
  return {
    headersPerCall: Math.min(most, MAX_HEADERS_PER_CALL),
    takesBlockHash: true,
    systems: readOffers(status['systems']),
  }
}

/** What is malformed is as good as left out: it only spares questions. */
function readOffers(systems: unknown): NodeProfile['systems'] {
  if (!isRecord(systems)) return undefined
  const known = Object.entries(systems).filter(([name]) => isSystem(name))
  return new Map(known.map(([name, offer]) => [name, readOffer(offer)]))
}

function readOffer(value: unknown): NodeOffer {
  const { window, shard, variants } = isRecord(value) ? value : {}
  const [from, to] = (Array.isArray(window) ? window : []).map(quantityOf)
  const { bits, index } = isRecord(shard) ? shard : {}
  return {
    window: from === undefined || to === undefined ? undefined : { from, to },
    shard: typeof bits === 'number' && typeof index === 'number' ? { bits, index } : undefined,
    variants: Array.isArray(variants) ? variants.filter(isName).slice(0, MAX_VARIANTS) : undefined,
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{1,32}$/.test(value)
}

function quantityOf(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,16}$/.test(value) ? BigInt(value) : undefined
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
 * @throws {@link UnavailableError} `unsupported`; `shard`; `window` for a block that left its window, which only moves on.
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
 * One call, unless the node is known not to have the method.
 *
 * @throws RpcError, TransportError, or the signal's reason.
 */
export async function ask({ client, node, signal }: Call, call: RpcCall): Promise<unknown> {
  const lacks = client.profiles.get(node.name)?.lacks
  const refusal = lacks?.get(call.method)
  if (refusal !== undefined) throw refusal
  try {
    return await node.call(call, signal)
  } catch (error) {
    // By its number alone: in words, plain nodes call much else unsupported.
    if (error instanceof RpcError && error.rpcCode === METHOD_NOT_FOUND) {
      lacks?.set(call.method, error)
    }
    throw error
  }
}

function checkChainId(chain: Chain, node: Node, id: bigint): void {
  if (id === BigInt(chain.chainId)) return
  const problem = `${node.name} serves chain ${id}, not ${chain.name} (${chain.chainId})`
  throw new UnavailableError('chain', problem)
}

/**
 * RLP of the header with this hash. The caller links it: nothing here is trusted.
 *
 * @throws {@link UnavailableError} `block` if the node does not know it; {@link ProofError}.
 */
export async function headerByHash(session: Session, hash: Hash): Promise<Uint8Array> {
  const { client, node } = session
  const devnet = client.chain.kind === 'devnet'
  const result = await ask(
    session,
    devnet
      ? { method: 'lp_getHeader', params: [hash] }
      : { method: 'eth_getBlockByHash', params: [hash, false] },
  )
  if (result === null) {
    throw new UnavailableError('block', `${node.name} does not know block ${hash}`)
  }
  return devnet ? asBytes(result, 'lp_getHeader') : blockHeader(session, result)
}

/** RLPs of `count` headers that end below block `below`, newest first. The caller links them. */
export async function headersBelow(
  session: Session,
  below: bigint,
  count: number,
): Promise<Uint8Array[]> {
  const { client, node, signal } = session
  const from = below - BigInt(count)
  if (client.chain.kind === 'devnet') {
    const params = [toQuantity(from), toQuantity(BigInt(count))]
    const list = asList(await ask(session, { method: 'lp_getHeaders', params }), 'headers')
    return list.map((rlp, i) => asBytes(rlp, `lp_getHeaders[${i}]`)).reverse()
  }
  const calls = Array.from({ length: count }, (_, i): RpcCall => {
    const number = toQuantity(below - 1n - BigInt(i))
    return { method: 'eth_getBlockByNumber', params: [number, false] }
  })
  const blocks = await node.batch(calls, signal)
  const rlps: Uint8Array[] = []
  for (const block of blocks) {
    if (block === null) break
    rlps.push(await blockHeader(session, block))
  }
  return rlps
}

/** A block's header RLP; raw from the node where its JSON has fields that this version does not know. */
async function blockHeader(session: Session, block: unknown): Promise<Uint8Array> {
  const { rlp, claimedHash, unknown } = encodeHeader(block)
  if (unknown.length === 0 || (await hashesTo(rlp, claimedHash))) return rlp
  try {
    const params = [toHex(claimedHash)]
    const raw = await ask(session, { method: 'debug_getRawHeader', params })
    return asBytes(raw, 'debug_getRawHeader')
  } catch (cause) {
    if (!(cause instanceof RpcError)) throw cause
    const fields = printable(unknown.slice(0, 5).join(', ').slice(0, 100))
    const fix = 'update lightproof, or use a node that serves debug_getRawHeader'
    const problem = `the block has header fields of a later fork (${fields}?): ${fix}`
    throw new UnavailableError('unsupported', problem, { cause })
  }
}

/** What to prove about an account. */
export interface ProofRequest {
  readonly address: Address
  readonly slots: readonly Hex[]
  readonly wantCode: boolean
}

/**
 * The core's proof RLP for a block, from `eth_getProof` and, if wanted, `eth_getCode`. Untrusted.
 *
 * @throws {@link ProofError} `decode.response`; {@link UnavailableError} `block`; RpcError; TransportError.
 */
export async function requestProof(
  session: Session,
  request: ProofRequest,
  block: { readonly number: bigint; readonly hash: Hash },
): Promise<Uint8Array> {
  const profile = await profileOf(session)
  if (profile.takesBlockHash === false) {
    return requestProofAt(session, request, toQuantity(block.number))
  }
  try {
    const proof = await requestProofAt(session, request, { blockHash: block.hash })
    profile.takesBlockHash = true
    return proof
  } catch (error) {
    if (profile.takesBlockHash || !(error instanceof RpcError)) throw error
  }
  // The refusal may be about EIP-1898 or about the block: the number tells them apart.
  const proof = await requestProofAt(session, request, toQuantity(block.number))
  profile.takesBlockHash = false
  return proof
}

async function requestProofAt(
  session: Session,
  { address, slots, wantCode }: ProofRequest,
  block: Hex | { readonly blockHash: Hash },
): Promise<Uint8Array> {
  const [proof, code] = await Promise.all([
    ask(session, { method: 'eth_getProof', params: [address, slots, block] }),
    wantCode ? ask(session, { method: 'eth_getCode', params: [address, block] }) : undefined,
  ])
  if (proof === null)
    throw new UnavailableError('block', `${session.node.name} has no proof at this block`)
  return encodeProof(proof, wantCode ? { result: code } : undefined)
}

/**
 * Did the node answer by number for another block of that height? Then it lies no more than the chain's fork does.
 */
export async function servesOtherBlock(
  { client, node, signal }: Session,
  block: { readonly number: bigint; readonly hash: Hash },
): Promise<boolean> {
  if (client.profiles.get(node.name)?.takesBlockHash !== false) return false
  const params = [toQuantity(block.number), false]
  const json = await node.call({ method: 'eth_getBlockByNumber', params }, signal)
  return json === null || asRecord(json, 'block')['hash'] !== block.hash
}
