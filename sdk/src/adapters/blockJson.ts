/** A proven header as the JSON of `eth_getBlockBy*`. */

import { getBlock } from '../actions/getBlock.js'
import type { Client } from '../client/client.js'
import { toHex, toQuantity } from '../encoding/hex.js'
import { itemsOf, readRlp, stringOf } from '../encoding/readRlp.js'
import { type Field, HEADER_FIELDS } from '../ethereum/header.js'
import type { BlockLike } from '../proving/at.js'
import { UnavailableError } from '../result/errors.js'
import type { Json } from '../result/json.js'
import type { Block, Result } from '../result/result.js'

/** Root of an empty trie: a block with it holds no transactions. */
const EMPTY_TRIE = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
/** keccak-256 of the empty list: a block with it holds no uncles. */
const NO_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'

/** The JSON of a block: its header's fields alone. */
export type BlockJson = { readonly [field: string]: Json }

/**
 * A block's header as JSON. Lists that it commits to by their root alone (transactions, uncles, withdrawals) are left
 * out, unless the root says that they are empty: an empty list would be a lie. So is `size`.
 */
export async function getBlockJson(
  client: Client,
  block: BlockLike | undefined,
  signal: AbortSignal | undefined,
): Promise<Result<BlockJson, never>> {
  const at = block === undefined ? {} : { block }
  const result = await getBlock(client, signal === undefined ? at : { ...at, signal })
  if (result.status !== 'present') return result
  return { ...result, value: jsonOf(client, result.value) }
}

function jsonOf(client: Client, block: Block): BlockJson {
  const { number, hash, parentHash, timestamp, stateRoot } = block
  const common = {
    number: toQuantity(number),
    hash,
    parentHash,
    timestamp: toQuantity(timestamp),
    ...(stateRoot === undefined ? {} : { stateRoot }),
  }
  const headers = client.lines.flatMap((line) => line.headers)
  const header = headers.find((known) => known.hash === hash)
  // A devnet's header has nothing else that Ethereum knows; it holds no transactions.
  if (client.chain.kind === 'devnet') return { ...common, transactions: [], uncles: [] }
  if (header === undefined) {
    throw new UnavailableError('block', `the header of block ${hash} is kept no longer: ask again`)
  }
  const items = itemsOf(readRlp(header.rlp))
  const fields = HEADER_FIELDS.slice(0, items.length)
  const json = Object.fromEntries(
    fields.map((field, i) => [field[0], fieldJson(field, stringOf(items[i]))]),
  )
  return {
    ...json,
    ...common,
    ...(json['transactionsRoot'] === EMPTY_TRIE ? { transactions: [] } : {}),
    ...(json['sha3Uncles'] === NO_UNCLES ? { uncles: [] } : {}),
  }
}

function fieldJson([, form]: Field, bytes: Uint8Array): string {
  if (form !== 'integer') return toHex(bytes)
  return toQuantity(bytes.length === 0 ? 0n : BigInt(toHex(bytes)))
}
