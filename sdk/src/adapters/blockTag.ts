/** Block parameters of JSON-RPC, as blocks that the client can vouch for. */

import type { Client } from '../client/client.js'
import { isRecord, shown } from '../encoding/input.js'
import type { BlockLike } from '../proving/at.js'
import { invalidParams, unprovable } from './rpcError.js'

/**
 * What a block parameter means to a client that trusts no node's word for it.
 *
 * - `latest` (and none): the newest block that a committee signed; where a block is pinned, that
 *   block; where a node is trusted, its newest.
 * - `finalized`: the newest block that a committee signed as final.
 * - `safe`: that block too. Nobody signs which block is safe; it is never older than the final one.
 * - `earliest`: block 0. A number, a hash, or an object of EIP-1898: that block.
 *
 * @returns what actions take as `at`; undefined for the pinned block.
 * @throws ProviderRpcError 4200 for `pending`, and for `finalized` and `safe` without
 *   a checkpoint; -32602
 */
export function blockOf(client: Client, value: unknown): BlockLike | undefined {
  const { kind } = client.anchor
  switch (value) {
    case undefined:
    case null:
    case 'latest':
      return kind === 'block' ? undefined : 'head'
    case 'safe':
    case 'finalized':
      if (kind === 'checkpoint') return 'finalized'
      throw unprovable(`block "${value}" is unknown to a client ${LACKS[kind]}`)
    case 'earliest':
      return 0n
    case 'pending':
      throw unprovable('the block "pending" is in no header yet, so nothing of it can be proven')
    default:
      return blockId(value)
  }
}

const LACKS = {
  block:
    'with a pinned block: use "latest" (the pinned block) or a number, or give the client a checkpoint',
  node: 'that trusts a node for its blocks, for nobody signs what is final: use "latest" or a number',
} as const

function blockId(value: unknown): BlockLike {
  if (isRecord(value)) {
    const { blockHash, blockNumber } = value
    if (isHash(blockHash) && blockNumber === undefined) return blockHash
    if (blockHash === undefined && isQuantity(blockNumber)) return BigInt(blockNumber)
  }
  if (isHash(value)) return value
  if (isQuantity(value)) return BigInt(value)
  throw invalidParams(`expected a block number in hex, a hash or a tag, got ${shown(value)}`)
}

function isQuantity(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{1,16}$/.test(value)
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)
}
