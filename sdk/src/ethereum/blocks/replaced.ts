/** A transaction that cannot come any more, since its nonce was used without it. */

import type { Client } from '../../client/client.js'
import { type Hash, parseInteger, shown } from '../../encoding/input.js'
import { InputError } from '../../result/errors.js'
import type { Trust } from '../../result/result.js'
import { decodeSigned } from '../../systems/body/decode.js'
import { type RecoverAddress, senderOf } from '../../systems/body/sender.js'
import type { Transaction } from '../../systems/body/types.js'
import type { Mined } from './blockBody.js'
import type { NonceOf } from './nonceUse.js'
import { sentRaw } from './sent.js'

/** Whose transaction is waited for, so that another one in its place is recognized. */
export interface SenderParameters {
  /**
   * The account that signed. Not needed where this client sent the transaction and `recoverAddress`
   * is given. A wrong one makes a wrong answer.
   */
  readonly sender?: string
  /** The transaction's nonce. Not needed where this client sent the transaction. */
  readonly nonce?: bigint | number
  /** Recovers senders, such as that of `lightproof/evm`: then `by` names the other transaction. */
  readonly recoverAddress?: RecoverAddress
}

/**
 * Proven: the sender's nonce was used in a block that does not hold the transaction, so no later
 * one can.
 */
export interface Replaced {
  readonly status: 'replaced'
  readonly error: ReplacedError
  /** Of the block's list of transactions. */
  readonly trust: Trust
}

/** A transaction was replaced. */
export class ReplacedError extends Error {
  override readonly name = 'ReplacedError'
  readonly code = 'replaced'
  /** The block that used the nonce. */
  readonly block: Mined
  /**
   * The transaction that used it; undefined if senders cannot be recovered, or if none did (an
   * authorization of EIP-7702 uses a nonce too).
   */
  readonly by: Transaction | undefined

  constructor(hash: Hash, block: Mined, by: Transaction | undefined) {
    const instead = by === undefined ? 'without it' : `by ${by.hash}`
    super(
      `transaction ${hash} cannot come any more: block ${block.blockNumber} used its nonce ${instead}`,
    )
    this.block = block
    this.by = by
  }
}

/** Parsed {@link SenderParameters}. */
export interface Sending {
  readonly of: NonceOf
  readonly recoverAddress: RecoverAddress | undefined
}

/**
 * The sender and the nonce of a transaction, as far as they were given or this client sent it.
 *
 * @throws InputError
 */
export async function parseSending(
  client: Client,
  hash: Hash,
  given: { readonly [key in keyof SenderParameters]?: unknown },
): Promise<Sending | undefined> {
  const { sender, nonce, recoverAddress } = given
  if (recoverAddress !== undefined && typeof recoverAddress !== 'function') {
    const problem = `expected a function, got ${shown(recoverAddress)}`
    throw new InputError('input.option', 'recoverAddress', problem)
  }
  if (sender !== undefined && (typeof sender !== 'string' || !/^0x[0-9a-f]{40}$/i.test(sender))) {
    throw new InputError('input.address', 'sender', `expected an address, got ${shown(sender)}`)
  }
  // Sound: it is a function.
  const recover = recoverAddress as RecoverAddress | undefined
  const own = await ownOf(client, hash, recover)
  const of = { sender: sender ?? own?.sender, nonce: parseNonce(nonce) ?? own?.nonce }
  if (of.sender === undefined && nonce !== undefined) {
    throw new InputError('input.option', 'sender', 'missing: nonce takes the account that signed')
  }
  if (of.nonce === undefined && sender !== undefined) {
    const problem = 'missing: this client did not send the transaction'
    throw new InputError('input.option', 'nonce', problem)
  }
  if (of.sender === undefined || of.nonce === undefined) return undefined
  return { of: { sender: of.sender, nonce: of.nonce }, recoverAddress: recover }
}

function parseNonce(value: unknown): bigint | undefined {
  if (typeof value === 'bigint' && value >= 0n && value < 1n << 64n) return value
  if (value === undefined) return undefined
  return BigInt(parseInteger(value, 'nonce', { min: 0, max: Number.MAX_SAFE_INTEGER }))
}

/** Of a transaction that this client sent. */
async function ownOf(
  client: Client,
  hash: Hash,
  recover: RecoverAddress | undefined,
): Promise<Partial<NonceOf> | undefined> {
  const raw = sentRaw(client, hash)
  if (raw === undefined) return undefined
  const read = await decodeSigned(raw)
  if (read === undefined) return undefined
  const sender = await senderOf(recover, read)
  return { nonce: read.nonce, ...(sender && { sender }) }
}

/** The one of these that used the nonce. */
export async function replacing(
  transactions: readonly Transaction[],
  { of: { sender, nonce }, recoverAddress }: Sending,
): Promise<Transaction | undefined> {
  for (const transaction of transactions) {
    if (transaction.nonce !== nonce) continue
    const from = await senderOf(recoverAddress, transaction)
    if (from === sender.toLowerCase()) return transaction
  }
  return undefined
}
