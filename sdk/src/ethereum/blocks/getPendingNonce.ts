import { parseParameters } from '../../actions/parameters.js'
import type { Client } from '../../client/client.js'
import type { Result } from '../../result/result.js'
import { decodeSigned } from '../../systems/body/decode.js'
import { type RecoverAddress, senderOf } from '../../systems/body/sender.js'
import { loadPart } from '../../wasm/part.js'
import { getNonce } from '../accounts/getNonce.js'
import { sentBy } from './sent.js'

/** Whose nonce. */
export interface PendingNonceParameters {
  /** 20 bytes; a mixed-case address must have the right checksum (EIP-55). */
  readonly address: string
  /** Aborts the action, which then throws the signal's reason. */
  readonly signal?: AbortSignal
}

/**
 * The nonce of an account's next transaction: that of the newest trusted block, proven, raised by
 * the transactions that this client sent and that follow without a gap. What others sent is not in
 * it: no node's word raises it.
 *
 * @returns present or absent, as the account is at that block; invalid or unavailable.
 * @throws InputError for a malformed argument, PlatformError, or the reason of an aborted signal.
 */
export async function getPendingNonce(
  client: Client,
  parameters: PendingNonceParameters,
): Promise<Result<bigint, bigint>> {
  parseParameters(client, parameters, ['address', 'signal'])
  const newest = client.anchor.kind === 'checkpoint' ? { at: 'head' } : {}
  const nonce: Result<bigint, bigint> = await getNonce(client, { ...parameters, ...newest })
  if (nonce.status !== 'present' && nonce.status !== 'absent') return nonce
  if (sentBy(client).length === 0) return nonce
  const { recoverAddress } = await loadPart(() => import('../../evm/recover.js'))
  return { ...nonce, value: await raised(client, parameters.address, nonce.value, recoverAddress) }
}

/** A nonce, raised by what this client sent of the account. */
export async function raised(
  client: Client,
  address: string,
  nonce: bigint,
  recover: RecoverAddress,
): Promise<bigint> {
  const own = new Set<bigint>()
  for (const raw of sentBy(client)) {
    const read = await decodeSigned(raw)
    if (read === undefined) continue
    if ((await senderOf(recover, read)) === address.toLowerCase()) own.add(read.nonce)
  }
  let next = nonce
  while (own.has(next)) next++
  return next
}
