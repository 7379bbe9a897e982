/** `eth_getTransactionCount`, `pending` included: the proven nonce, and what this client sent since. */

import { getNonce } from '../../actions/getNonce.js'
import { sentBy } from '../../actions/sent.js'
import { type Hex, integerBytes, toHex, toQuantity } from '../../encoding/hex.js'
import { shown } from '../../encoding/input.js'
import { itemsOf, readRlp, stringOf } from '../../encoding/readRlp.js'
import { encodeRlp, type RlpValue } from '../../encoding/rlp.js'
import { loadHash } from '../../wasm/module.js'
import { blockOf } from '../blockTag.js'
import { type Answer, type Ask, settle } from '../methods.js'
import { invalidParams, unprovable } from '../rpcError.js'
import { type RecoverAddress, type Signed, senderOf } from './sender.js'

/**
 * The nonce of an account. Of `pending`, that of the newest trusted block, raised by transactions that this client sent
 * and that follow without a gap. What others sent is not in it: no node's word raises it.
 *
 * @throws ProviderRpcError 4200 if this client sent transactions whose senders it cannot recover.
 */
export async function transactionCount(ask: Ask): Promise<Answer> {
  const { client, params, signal, recoverAddress } = ask
  const [address, tag] = params
  if (typeof address !== 'string') throw invalidParams(`expected an address, got ${shown(address)}`)
  const isPending = tag === 'pending'
  const at = blockOf(client, isPending ? 'latest' : tag)
  const nonce = await getNonce(client, { address, signal, ...(at === undefined ? {} : { at }) })
  const proven = settle<bigint, bigint>(nonce, toQuantity)
  if (!isPending || nonce.status === 'invalid' || nonce.status === 'unavailable') return proven
  const sent = sentBy(client)
  if (sent.length === 0) return proven
  if (recoverAddress === undefined) {
    throw unprovable(
      'whose transactions this client sent takes the option recoverAddress; or ask for "latest"',
    )
  }
  const own = await noncesOf(address, sent, recoverAddress)
  let next = nonce.value
  while (own.has(next)) next++
  return { ...proven, result: toQuantity(next) }
}

async function noncesOf(
  address: string,
  sent: readonly Uint8Array[],
  recover: RecoverAddress,
): Promise<ReadonlySet<bigint>> {
  const nonces = new Set<bigint>()
  for (const raw of sent) {
    const read = await readSigned(raw)
    if (read === undefined) continue
    if ((await senderOf(recover, read)) === address.toLowerCase()) nonces.add(read.nonce)
  }
  return nonces
}

/** What was signed and by what; undefined if it is no transaction, which no node would have taken. */
async function readSigned(
  raw: Uint8Array,
): Promise<(Signed & { readonly nonce: bigint }) | undefined> {
  try {
    const [type = 0] = raw
    const isLegacy = type >= 0xc0
    const items = itemsOf(readRlp(isLegacy ? raw : raw.subarray(1)))
    const fields = items.slice(0, -3)
    const [v, r, s] = items.slice(-3).map(integerOf)
    const nonce = integerOf(fields[isLegacy ? 0 : 1])
    if (v === undefined || r === undefined || s === undefined) return undefined
    const signedFields = isLegacy ? [...fields, ...legacyTail(v)] : fields
    const list = encodeRlp(signedFields)
    const { keccak256 } = await loadHash()
    const signingHash = toHex(keccak256(isLegacy ? list : Uint8Array.of(type, ...list)))
    return { signingHash, r, s, nonce, ...(isLegacy ? { v } : { yParity: v }) }
  } catch {
    return undefined
  }
}

/** EIP-155: chain id, and two empty strings. */
function legacyTail(v: bigint): RlpValue[] {
  if (v < 35n) return []
  const id = integerBytes((v - 35n) / 2n)
  return [id, new Uint8Array(0), new Uint8Array(0)]
}

function integerOf(value: RlpValue | undefined): bigint {
  const hex: Hex = toHex(stringOf(value))
  return hex === '0x' ? 0n : BigInt(hex)
}
