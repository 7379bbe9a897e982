/** A proven proof file as the JSON of `eth_getProof`. */

import { fromHex, type Hex, toHex, toQuantity } from '../encoding/hex.js'
import { itemsOf, readRlp, stringOf } from '../encoding/readRlp.js'
import type { RlpValue } from '../encoding/rlp.js'
import type { ProofFile } from '../result/file.js'
import type { Json } from '../result/json.js'

/** The JSON that a node would have sent, made of bytes that the core has accepted. */
export function proofJsonOf({ proof }: ProofFile): Json {
  const items = itemsOf(readRlp(fromHex(proof) ?? new Uint8Array(0)))
  const [address, nonce, balance, storageHash, codeHash, nodes, slots] = items
  return {
    address: hex(address),
    accountProof: itemsOf(nodes).map(hex),
    balance: quantity(balance),
    codeHash: hex(codeHash),
    nonce: quantity(nonce),
    storageHash: hex(storageHash),
    storageProof: itemsOf(slots).map((slot) => {
      const [key, value, path] = itemsOf(slot)
      return { key: hex(key), value: quantity(value), proof: itemsOf(path).map(hex) }
    }),
  }
}

function hex(value: RlpValue | undefined): Hex {
  return toHex(stringOf(value))
}

function quantity(value: RlpValue | undefined): Hex {
  const bytes = stringOf(value)
  return toQuantity(bytes.length === 0 ? 0n : BigInt(toHex(bytes)))
}
