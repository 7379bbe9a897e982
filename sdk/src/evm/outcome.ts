/** What the module's answers mean to a caller. */

import type { Hex } from '../encoding/hex.js'
import type { Address } from '../encoding/input.js'
import type { Grounded, Invalid, Unavailable } from '../result/result.js'
import { CallError } from './error.js'
import type { Finished } from './machine.js'
import type { Done, Item } from './request.js'
import type {
  Accessed,
  AccountChange,
  CallOutcome,
  CallResult,
  Reverted,
  Succeeded,
} from './types.js'

/** The outcome of a call. */
export function outcomeOf(finished: Finished | undefined): Succeeded<CallOutcome> | Reverted {
  if (finished === undefined) throw new TypeError('the core answered another question')
  if (finished.status === 'rejected') {
    const error = new CallError('call.refused', '0x', finished.message)
    return { status: 'reverted', error, gasUsed: 0n, accessed: { accounts: [], blocks: [] } }
  }
  const { output, logs, created } = finished
  const accessed = accessedIn(finished.read)
  const gasUsed = BigInt(finished.gasUsed)
  if (finished.status === 'success') {
    const changes = changesIn(finished)
    const value = { output, gasUsed, logs, created: created ?? undefined, accessed, changes }
    return { status: 'success', value }
  }
  const code = finished.status === 'revert' ? 'call.reverted' : 'call.halted'
  return { status: 'reverted', error: new CallError(code, output), gasUsed, accessed }
}

/** The one outcome of an action's calls, with its grounds. */
export function resultOf<V>(
  outcome: Grounded<{ readonly value: Succeeded<V> | Reverted }> | Invalid | Unavailable,
): CallResult<V> {
  if (!('trust' in outcome)) return outcome
  return { ...outcome.value, trust: outcome.trust }
}

/** P-256 (EIP-7951): the highest address of a precompiled contract. */
const LAST_PRECOMPILE = 0x100n
const ZERO: Hex = `0x${'00'.repeat(20)}`

/**
 * As an access list: without what is read at no extra cost, the caller, the called account and the
 * precompiled contracts.
 */
export function accessListOf(
  { accounts }: Accessed,
  { from = ZERO, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
): { readonly address: Address; readonly storageKeys: readonly Hex[] }[] {
  const free = [from, to].map((address) => address?.toLowerCase())
  const isFree = (address: Hex): boolean =>
    free.includes(address) || BigInt(address) <= LAST_PRECOMPILE
  return accounts
    .filter(({ address, slots }) => slots.length > 0 || !isFree(address))
    .map(({ address, slots }) => ({ address: address as Address, storageKeys: slots }))
}

function accessedIn(items: readonly Item[]): Accessed {
  const accounts = new Map<Hex, { codeHash: Hex | undefined; slots: Hex[] }>()
  const blocks: bigint[] = []
  for (const item of items) {
    if (item.kind === 'blockHash') blocks.push(BigInt(item.number))
    if (item.kind === 'blockHash' || item.kind === 'precompile') continue
    const account = accounts.get(item.address) ?? { codeHash: undefined, slots: [] }
    accounts.set(item.address, account)
    if (item.kind === 'slot') account.slots.push(item.key)
    if (item.kind === 'code') account.codeHash = item.hash
  }
  return { accounts: [...accounts].map(([address, rest]) => ({ address, ...rest })), blocks }
}

function changesIn({ changes }: Done): AccountChange[] {
  return changes.map(({ address, balance, nonce, slots }) => ({
    address,
    balance: { before: BigInt(balance[0]), after: BigInt(balance[1]) },
    nonce: { before: BigInt(nonce[0]), after: BigInt(nonce[1]) },
    slots: slots.map(({ key, value }) => ({ slot: key, value: BigInt(value) })),
  }))
}
