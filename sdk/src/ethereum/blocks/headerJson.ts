/** A trusted block's header as the JSON of `eth_getBlockBy*`. */

import type { Client } from '../../client/client.js'
import { toHex, toQuantity } from '../../encoding/hex.js'
import { itemsOf, readRlp, stringOf } from '../../encoding/readRlp.js'
import type { Header } from '../../proving/header.js'
import { withLeaps } from '../../proving/line.js'
import { rlpOf } from '../../proving/rlpOf.js'
import { UnavailableError } from '../../result/errors.js'
import type { Block } from '../../result/result.js'
import { type Field, HEADER_FIELDS } from '../header.js'

/** Fields of a header by name; `hash` too. */
export type HeaderJson = { readonly [field: string]: string }

/**
 * The header's fields, of a block that an action just proved.
 *
 * @throws UnavailableError `block` if the client has dropped the header meanwhile.
 */
export function headerJson(client: Client, block: Block): HeaderJson {
  const { number, hash, parentHash, timestamp, stateRoot } = block
  const common = {
    number: toQuantity(number),
    hash,
    parentHash,
    timestamp: toQuantity(timestamp),
    ...(stateRoot === undefined ? {} : { stateRoot }),
  }
  // A devnet's header has nothing else that Ethereum knows.
  if (client.chain.kind !== 'ethereum') return common
  const headers = (): Header[] => withLeaps(client.lines).flatMap((line) => line.headers)
  const rlp = rlpOf(block) ?? headers().find((known) => known.hash === hash)?.rlp
  if (rlp === undefined) {
    throw new UnavailableError(
      'block',
      `the header of block ${hash} is no longer cached: ask again`,
    )
  }
  const items = itemsOf(readRlp(rlp))
  const fields = HEADER_FIELDS.slice(0, items.length)
  const json = Object.fromEntries(
    fields.map((field, i) => [field[0], fieldJson(field, stringOf(items[i]))]),
  )
  return { ...json, ...common }
}

function fieldJson([, form]: Field, bytes: Uint8Array): string {
  if (form !== 'integer') return toHex(bytes)
  return toQuantity(bytes.length === 0 ? 0n : BigInt(toHex(bytes)))
}
