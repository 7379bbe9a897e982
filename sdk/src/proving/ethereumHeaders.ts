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
import { BLOCK_BYTES, headerCall } from './headerCall.js'
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
const HEADER_BYTES = 16_384

/**
 * RLP of the header with this hash; undefined if the node does not know it.
 *
 * @throws RpcError, TransportError; {@link ProofError}; {@link UnavailableError} `unsupported`.
 */
export async function headerByHash(desk: HeaderDesk, hash: Hash): Promise<Uint8Array | undefined> {
  const block = await desk.call(headerCall(hash))
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
  const served = profile.headersPerCall === HEADERS
  // It is a long way: worth the question whether the node serves headers alone.
  const asks = !served && distance > 64n && !profile.lacks.has(ALONE)
  const length = Math.min(Number(distance), profile.headersPerCall)
  const calls = Array.from({ length }, (_, i): RpcCall => {
    const number = toQuantity(below - 1n - BigInt(i))
    return served || (asks && i === length - 1)
      ? { method: ALONE, params: [number], maxBytes: HEADER_BYTES }
      : { method: 'eth_getBlockByNumber', params: [number, false], maxBytes: BLOCK_BYTES }
  })
  // What is asked for at once travels together: no exchange is made to find out.
  const asked = asks ? calls.pop() : undefined
  const rest = asked && desk.call(asked).catch(() => undefined)
  try {
    const answers = await desk.batch(calls)
    const header = await rest
    if (header !== undefined) profile.headersPerCall = HEADERS
    const rlps: Uint8Array[] = []
    for (const answer of header === undefined ? answers : [...answers, header]) {
      if (answer === null) break
      rlps.push(await encoded(desk, answer))
    }
    return rlps
  } catch (error) {
    if (!served || !(error instanceof RpcError)) throw error
    profile.headersPerCall = BLOCKS
    return headersBelow(desk, below, distance)
  }
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
