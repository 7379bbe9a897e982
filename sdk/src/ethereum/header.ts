/** `eth_getBlockBy*` JSON into header RLP, of every fork. */

import { integerBytes } from '../encoding/hex.js'
import { encodeRlp, type RlpValue } from '../encoding/rlp.js'
import { asBytes, asInteger, asRecord, malformed } from '../encoding/untrusted.js'

/** A header field: its name in JSON, and its bytes or kind. */
export type Field = readonly [name: string, length: number | 'integer' | 'bytes']

/** Fields of every header, in the order of their RLP. */
const REQUIRED: readonly Field[] = [
  ['parentHash', 32],
  ['sha3Uncles', 32],
  ['miner', 20],
  ['stateRoot', 32],
  ['transactionsRoot', 32],
  ['receiptsRoot', 32],
  ['logsBloom', 256],
  ['difficulty', 'integer'],
  ['number', 'integer'],
  ['gasLimit', 'integer'],
  ['gasUsed', 'integer'],
  ['timestamp', 'integer'],
  ['extraData', 'bytes'],
  ['mixHash', 32],
  ['nonce', 8],
]

/** Fields that forks appended: London, Shanghai, Cancun (3), Prague, Amsterdam (2). */
const APPENDED: readonly Field[] = [
  ['baseFeePerGas', 'integer'],
  ['withdrawalsRoot', 32],
  ['blobGasUsed', 'integer'],
  ['excessBlobGas', 'integer'],
  ['parentBeaconBlockRoot', 32],
  ['requestsHash', 32],
  ['blockAccessListHash', 32],
  ['slotNumber', 'integer'],
]

/** All of them: a header of an older fork ends earlier. */
export const HEADER_FIELDS: readonly Field[] = [...REQUIRED, ...APPENDED]

/** What a block's JSON holds beside its header. */
const BODY = ['hash', 'size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals']

/** A header as the node's JSON gives it. */
export interface EncodedHeader {
  readonly rlp: Uint8Array
  /** The hash that the node claims for it. */
  readonly claimedHash: Uint8Array
  /** Keys that are no header field known to this version: a later fork's, perhaps. */
  readonly unknown: readonly string[]
}

/**
 * RLP of the header in a block's JSON. The hash decides whether it is the block's: nothing here is
 * trusted.
 *
 * @throws ProofError `decode.response` naming a field that is malformed, or missing before a later
 *   one.
 */
export function encodeHeader(json: unknown): EncodedHeader {
  const block = asRecord(json, 'block')
  const items = REQUIRED.map((field) => encodeField(block, field))
  let missing: string | undefined
  for (const field of APPENDED) {
    const value = block[field[0]]
    if (value === undefined || value === null) {
      missing ??= field[0]
    } else if (missing !== undefined) {
      throw malformed(`block.${missing}`, `a value, since ${field[0]}, which follows it, has one`)
    } else {
      items.push(encodeField(block, field))
    }
  }
  const known = new Set(HEADER_FIELDS.map(([name]) => name).concat(BODY))
  return {
    rlp: encodeRlp(items),
    claimedHash: asBytes(block['hash'], 'block.hash', 32),
    unknown: Object.keys(block).filter((key) => !known.has(key)),
  }
}

function encodeField(block: Record<string, unknown>, [name, form]: Field): RlpValue {
  const field = `block.${name}`
  if (form === 'integer') return integerBytes(asInteger(block[name], field))
  return asBytes(block[name], field, form === 'bytes' ? undefined : form)
}
