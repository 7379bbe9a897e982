/**
 * Headers of plain Ethereum nodes: in their blocks, or alone where a node serves them so. Only
 * clients of Ethereum's kind load this file.
 */

import type { NodeProfile } from '../client/profile.js'
import { toHex, toQuantity } from '../encoding/hex.js'
import type { Hash } from '../encoding/input.js'
import { printable } from '../encoding/printable.js'
import { asBytes } from '../encoding/untrusted.js'
import { encodeHeader } from '../ethereum/header.js'
import { RpcError, UnavailableError } from '../result/errors.js'
import type { RpcCall } from '../transport/call.js'
import { hashesTo } from './verifier.js'

/** A node, as far as it is asked here. */
export interface HeaderDesk {
  /** @throws RpcError, TransportError, or the signal's reason. */
  call(call: RpcCall): Promise<unknown>
  /** @throws the same, of the first call that failed. */
  batch(calls: readonly RpcCall[]): Promise<readonly unknown[]>
  profile(): Promise<NodeProfile>
}

const ALONE = 'eth_getHeaderByNumber'
/** Of one exchange: blocks come with the hashes of their transactions, headers with nothing. */
const [BLOCKS, HEADERS] = [32, 96]
/** How far it must go on for the question whether a node serves headers alone. */
const LONG = 2n * 32n
const [BLOCK_BYTES, HEADER_BYTES] = [1_048_576, 16_384]

/**
 * RLP of the header with this hash; undefined if the node does not know it.
 *
 * @throws RpcError, TransportError; {@link ProofError}; {@link UnavailableError} `unsupported`.
 */
export async function headerByHash(desk: HeaderDesk, hash: Hash): Promise<Uint8Array | undefined> {
  const call = { method: 'eth_getBlockByHash', params: [hash, false], maxBytes: BLOCK_BYTES }
  const block = await desk.call(call)
  return block === null ? undefined : encoded(desk, block)
}

/**
 * RLPs of headers that end below block `below`, newest first: as many as one exchange brings of the
 * next `distance`.
 *
 * @throws as {@link headerByHash}
 */
export async function headersBelow(
  desk: HeaderDesk,
  below: bigint,
  distance: bigint,
): Promise<Uint8Array[]> {
  const profile = await desk.profile()
  const rlps: Uint8Array[] = []
  for (const answer of await answers(desk, profile, below, distance)) {
    if (answer === null) break
    rlps.push(await encoded(desk, answer))
  }
  return rlps
}

async function answers(
  desk: HeaderDesk,
  profile: NodeProfile,
  below: bigint,
  distance: bigint,
): Promise<readonly unknown[]> {
  const number = (i: number): string => toQuantity(below - 1n - BigInt(i))
  const alone = (i: number): RpcCall => ({
    method: ALONE,
    params: [number(i)],
    maxBytes: HEADER_BYTES,
  })
  const inBlock = (i: number): RpcCall => ({
    method: 'eth_getBlockByNumber',
    params: [number(i), false],
    maxBytes: BLOCK_BYTES,
  })
  const all = (callOf: (i: number) => RpcCall, length: number): Promise<readonly unknown[]> =>
    desk.batch(Array.from({ length }, (_, i) => callOf(i)))
  const most = (limit: number): number => Math.min(Number(distance), limit)
  if (profile.headersPerCall === HEADERS) {
    try {
      return await all(alone, most(HEADERS))
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      profile.headersPerCall = BLOCKS
    }
  }
  if (distance <= LONG || profile.lacks.has(ALONE)) return all(inBlock, most(BLOCKS))
  // In the place of one block, and what is asked for at once travels together: no exchange is made
  // to find out.
  const [blocks, header] = await Promise.all([
    all(inBlock, BLOCKS - 1),
    desk.call(alone(BLOCKS - 1)).catch((error: unknown) => {
      if (!(error instanceof RpcError)) throw error
    }),
  ])
  if (header === undefined) return blocks
  profile.headersPerCall = HEADERS
  return [...blocks, header]
}

/** RLP of a header; raw from the node where its JSON has fields that this version does not know. */
async function encoded(desk: HeaderDesk, json: unknown): Promise<Uint8Array> {
  const { rlp, claimedHash, unknown } = encodeHeader(json)
  if (unknown.length === 0 || (await hashesTo(rlp, claimedHash))) return rlp
  try {
    const raw = await desk.call({ method: 'debug_getRawHeader', params: [toHex(claimedHash)] })
    return asBytes(raw, 'debug_getRawHeader')
  } catch (cause) {
    if (!(cause instanceof RpcError)) throw cause
    const fields = printable(unknown.slice(0, 5).join(', '))
    const fix = 'update lightproof, or use a node that serves debug_getRawHeader'
    const problem = `the block has header fields of a later fork (${fields}?): ${fix}`
    throw new UnavailableError('unsupported', problem, { cause })
  }
}
