/** A proven header as the JSON of `eth_getBlockBy*`. */

import { getBlock } from '../actions/getBlock.js'
import type { Client } from '../client/client.js'
import { headerJson } from '../ethereum/blocks/headerJson.js'
import type { BlockLike } from '../proving/at.js'
import type { Json } from '../result/json.js'
import type { Block, Result } from '../result/result.js'

/** Root of an empty trie: a block with it holds no transactions. */
const EMPTY_TRIE = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
/** keccak-256 of the empty list: a block with it holds no uncles. */
const NO_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'

/** The JSON of a block: its header's fields alone. */
export type BlockJson = { readonly [field: string]: Json }

/**
 * A block's header as JSON. Lists that it commits to by their root alone (transactions, uncles,
 * withdrawals) are left out, unless the root says that they are empty: an empty list would be a
 * lie. So is `size`.
 */
export async function getBlockJson(
  client: Client,
  block: BlockLike | undefined,
  signal: AbortSignal | undefined,
): Promise<Result<BlockJson, never>> {
  const at = block === undefined ? {} : { block }
  const result = await getBlock(client, signal === undefined ? at : { ...at, signal })
  if (result.status !== 'present') return result
  return { ...result, value: blockJson(client, result.value) }
}

/** The same of a block that was just proven. */
export function blockJson(client: Client, block: Block): BlockJson {
  const json = headerJson(client, block)
  // It holds no transactions.
  if (client.chain.kind !== 'ethereum') return { ...json, transactions: [], uncles: [] }
  return {
    ...json,
    ...(json['transactionsRoot'] === EMPTY_TRIE ? { transactions: [] } : {}),
    ...(json['sha3Uncles'] === NO_UNCLES ? { uncles: [] } : {}),
  }
}
