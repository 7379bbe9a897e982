/** What is called, and what comes of it. */

import type { BlockAndSignal } from '../actions/parameters.js'
import type { Hex } from '../encoding/hex.js'
import type { Grounded, Invalid, Unavailable } from '../result/result.js'
import type { CallError } from './error.js'
import type { BlockOverride, StateOverride } from './overrides.js'

/** A call. */
export interface CallRequest {
  /** What is called. Left out: `data` creates a contract. */
  readonly to?: string
  /** Who calls: `msg.sender`. Default the zero address. */
  readonly from?: string
  /** Input, `0x` and hex. Default none. */
  readonly data?: string
  /** Wei that are sent along; the caller must have them. Default 0n. */
  readonly value?: bigint
  /** Gas that it may use, at most 2^26. Default 2^24, the cap of EIP-7825. */
  readonly gas?: bigint | number
  /** Wei per gas. Default 0n: nobody pays, and `tx.gasprice` reads 0. */
  readonly gasPrice?: bigint
  /** Accounts and slots that count as read before (EIP-2930). */
  readonly accessList?: AccessList
}

/** Accounts and slots (EIP-2930). */
export type AccessList = readonly {
  readonly address: string
  readonly storageKeys: readonly string[]
}[]

/** How far the client is. */
export interface CallProgress {
  /** Rounds of questions to a node, up to now. */
  readonly round: number
  /** Accounts, slots, codes and block hashes that were asked for. */
  readonly items: number
}

/** The block, a way to stop, a listener, and what is to be otherwise. */
export interface RunParameters extends BlockAndSignal {
  /** Called after each round. */
  readonly onProgress?: (progress: CallProgress) => void
  /** Accounts as they are not: the trust report names `overrides` as not proved then. */
  readonly stateOverride?: StateOverride
  /** A block as it is not; likewise. */
  readonly blockOverride?: BlockOverride
}

/** Parameters of `call` and its like. */
export interface CallParameters extends CallRequest, RunParameters {}

/** A log that a call wrote. */
export interface CallLog {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
}

/** What a call read: all of it is proven. */
export interface Accessed {
  readonly accounts: readonly {
    readonly address: Hex
    /** keccak-256 of its code, if that ran or was looked at. */
    readonly codeHash: Hex | undefined
    readonly slots: readonly Hex[]
  }[]
  /** Numbers of the blocks whose hashes it read. */
  readonly blocks: readonly bigint[]
}

/** An account that a transaction with this call would leave changed, but for its fee. */
export interface AccountChange {
  readonly address: Hex
  /** In wei. */
  readonly balance: { readonly before: bigint; readonly after: bigint }
  readonly nonce: { readonly before: bigint; readonly after: bigint }
  /** Slots that change, and what they hold then. */
  readonly slots: readonly { readonly slot: Hex; readonly value: bigint }[]
}

/** What a call that went well came to. */
export interface CallOutcome {
  /** What it returned; the code, if it created a contract. */
  readonly output: Hex
  /** Gas that a transaction would pay for, after refunds. */
  readonly gasUsed: bigint
  readonly logs: readonly CallLog[]
  /** Address of the contract that it would create. */
  readonly created: Hex | undefined
  readonly accessed: Accessed
  readonly changes: readonly AccountChange[]
}

/** It went well. */
export interface Succeeded<V> {
  readonly status: 'success'
  readonly value: V
}

/** It failed, by the rules and by what its contracts say. */
export interface Reverted {
  readonly status: 'reverted'
  readonly error: CallError
  /** 0n if it did not begin. */
  readonly gasUsed: bigint
  readonly accessed: Accessed
}

/** A call's outcome: proven either way, or why nothing is known. */
export type CallResult<V = CallOutcome> =
  | Grounded<Succeeded<V>>
  | Grounded<Reverted>
  | Invalid
  | Unavailable
