/**
 * A transaction that no trusted block shows yet: what it says follows from its hash; that it waits,
 * from no proof.
 */

import { fromHex, type Hex } from '../../encoding/hex.js'
import { getNonce } from '../../ethereum/accounts/getNonce.js'
import { type Signed, signedOf } from '../../ethereum/blocks/rawTransaction.js'
import { sentRaw } from '../../ethereum/blocks/sent.js'
import type { Json } from '../../result/json.js'
import { decodeSigned } from '../../systems/body/decode.js'
import { senderOf } from '../../systems/body/sender.js'
import { ranked } from '../../transport/health.js'
import { blockOf } from '../blockTag.js'
import type { Ask } from '../methods.js'
import { transactionJson } from './json.js'

/**
 * The transaction as nodes print one of their pool: its place is null.
 *
 * @returns null if this client did not send it and no node has its bytes, or if its sender's nonce
 *   says that it cannot come any more.
 */
export async function pendingBy(ask: Ask, hash: string): Promise<Json> {
  // Sound: it was parsed.
  const wanted = hash.toLowerCase() as Hex
  const bytes = sentRaw(ask.client, wanted) ?? (await bytesOfNodes(ask, wanted))
  const read = bytes && (await decodeSigned(bytes))
  if (read === undefined) return null
  const from = await senderOf(ask.recoverAddress, read)
  if (from !== undefined && (await isUsed(ask, from, read.nonce))) return null
  const place = { blockHash: null, blockNumber: null, transactionIndex: null }
  return { ...transactionJson(read, from), ...place, hash: wanted }
}

/**
 * From the first node that has bytes of this hash. What a node says else, or does not, is no
 * matter.
 */
async function bytesOfNodes(
  { client, signal }: Ask,
  hash: string,
): Promise<Uint8Array | undefined> {
  for (const node of ranked(client.nodes).filter(({ health }) => health.badProof === undefined)) {
    const call = { method: 'eth_getRawTransactionByHash', params: [hash] }
    const answer = await node.call(call, signal).catch(() => undefined)
    signal.throwIfAborted()
    const signed = await parse(answer)
    if (signed?.hash === hash) return signed.bytes
  }
  return undefined
}

async function parse(answer: unknown): Promise<Signed | undefined> {
  const bytes = fromHex(answer)
  return bytes === undefined || bytes.length === 0 ? undefined : signedOf(bytes)
}

/** Has the sender's proven nonce passed it? Where that is not proven, it may wait still. */
async function isUsed({ client, signal }: Ask, address: Hex, nonce: bigint): Promise<boolean> {
  const at = blockOf(client, 'latest')
  const count = await getNonce(client, { address, signal, ...(at === undefined ? {} : { at }) })
  return (count.status === 'present' || count.status === 'absent') && count.value > nonce
}
