/**
 * What the nodes of a devnet say of themselves, and their headers. Only clients of a devnet load
 * this file.
 */

import { type Chain, isSystemName } from '../client/chains.js'
import type { Learnt, NodeOffer, NodeProfile } from '../client/profile.js'
import { toQuantity } from '../encoding/hex.js'
import { type Hash, isRecord } from '../encoding/input.js'
import { asBytes, asHash, asList, asRecord } from '../encoding/untrusted.js'
import { UnavailableError } from '../result/errors.js'
import type { Node } from '../transport/rpc.js'
import { checkChainId } from './chainId.js'
import type { HeaderDesk } from './ethereumHeaders.js'

const MAX_HEADERS_PER_CALL = 256
const MAX_VARIANTS = 16
const MAX_STATUS_BYTES = 65_536
const MAX_HEADER_BYTES = 4_096

/**
 * Asks a devnet's node what it serves.
 *
 * @throws {@link UnavailableError} `chain`; ProofError; RpcError; TransportError; the signal's
 *   reason.
 */
export async function probeDevnet(
  chain: Chain,
  node: Node,
  signal: AbortSignal | undefined,
): Promise<Learnt> {
  const call = { method: 'lp_status', params: [], maxBytes: MAX_STATUS_BYTES }
  const status = asRecord(await node.call(call, signal), 'lp_status')
  checkChainId(chain, node, status['chainId'])
  const genesis = asHash(status['genesisHash'], 'lp_status.genesisHash')
  if (genesis !== chain.genesisHash) {
    const problem = `${node.name} serves a chain with genesis ${genesis}, not ${chain.genesisHash}`
    throw new UnavailableError('chain', problem)
  }
  node.isCached = status['get'] === true
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
  const known = Object.entries(systems).filter(([name]) => isSystemName(name))
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

/**
 * RLP of the header with this hash; undefined if the node does not know it.
 *
 * @throws RpcError, TransportError; {@link ProofError}
 */
export async function headerByHash(desk: HeaderDesk, hash: Hash): Promise<Uint8Array | undefined> {
  const call = { method: 'lp_getHeader', params: [hash], maxBytes: MAX_HEADER_BYTES }
  const rlp = await desk.call(call)
  return rlp === null ? undefined : asBytes(rlp, 'lp_getHeader')
}

/**
 * RLPs of headers that end below block `below`, newest first: as many as one call brings of the
 * next `distance`.
 *
 * @throws as {@link headerByHash}
 */
export async function headersBelow(
  desk: HeaderDesk,
  below: bigint,
  distance: bigint,
): Promise<Uint8Array[]> {
  const { headersPerCall } = await desk.profile()
  const count = distance < headersPerCall ? distance : BigInt(headersPerCall)
  const params = [below - count, count].map(toQuantity)
  const list = asList(await desk.call({ method: 'lp_getHeaders', params }), 'headers')
  return list.map((rlp, i) => asBytes(rlp, `lp_getHeaders[${i}]`)).reverse()
}
