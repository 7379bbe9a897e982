/** What is proven of a block's body: as the core writes it, and as callers read it. */

import type { Hex } from '../../encoding/hex.js'
import type { Hash } from '../../encoding/input.js'

/** Slots that a transaction says it will use (EIP-2930). */
export interface AccessListEntry {
  readonly address: Hex
  readonly storageKeys: readonly Hash[]
}

/** An account's consent that another's code runs for it (EIP-7702). */
export interface Authorization {
  /** 0: on every chain. */
  readonly chainId: bigint
  readonly address: Hex
  readonly nonce: bigint
  readonly yParity: bigint
  readonly r: bigint
  readonly s: bigint
}

/**
 * A transaction, as its block holds it. Its sender is in no field: it follows from `signingHash`
 * and the signature.
 */
export interface Transaction {
  /** Who signed it; undefined unless `senders` asked for it. */
  readonly from?: Hex
  readonly hash: Hash
  /** Its place in the block. */
  readonly transactionIndex: number
  /** 0 legacy, 1 EIP-2930, 2 EIP-1559, 3 EIP-4844, 4 EIP-7702. */
  readonly type: number
  /** What the sender signed. */
  readonly signingHash: Hash
  /** Undefined in a legacy transaction, whose `v` may name the chain. */
  readonly chainId?: bigint
  readonly nonce: bigint
  /** Wei for one gas; types 0 and 1. */
  readonly gasPrice?: bigint
  /** Wei for one gas; from type 2 on. */
  readonly maxPriorityFeePerGas?: bigint
  readonly maxFeePerGas?: bigint
  readonly gas: bigint
  /** null: it makes a contract. */
  readonly to: Hex | null
  /** In wei. */
  readonly value: bigint
  readonly input: Hex
  readonly accessList?: readonly AccessListEntry[]
  readonly maxFeePerBlobGas?: bigint
  readonly blobVersionedHashes?: readonly Hash[]
  readonly authorizationList?: readonly Authorization[]
  /** Of a legacy transaction. */
  readonly v?: bigint
  readonly yParity?: bigint
  readonly r: bigint
  readonly s: bigint
}

/** A log and its place. */
export interface Log {
  /** Its number in the block. */
  readonly logIndex: number
  readonly address: Hex
  readonly topics: readonly Hash[]
  readonly data: Hex
}

/**
 * A receipt. What it does not bind itself comes from the transaction at its index and from the
 * receipts before it.
 */
export interface Receipt {
  /** Who signed the transaction; undefined unless `senders` asked for it. */
  readonly from?: Hex
  /**
   * The contract that the transaction made; null if it made none. Undefined unless `senders` asked
   * for it: the address follows from the sender and the nonce.
   */
  readonly contractAddress?: Hex | null
  readonly transactionHash: Hash
  readonly transactionIndex: number
  readonly type: number
  /** null: the transaction made a contract. */
  readonly to: Hex | null
  /** Whether it succeeded; undefined before Byzantium. */
  readonly succeeded?: boolean
  /** The state root behind it, before Byzantium. */
  readonly root?: Hash
  readonly cumulativeGasUsed: bigint
  readonly gasUsed: bigint
  /** In wei. */
  readonly effectiveGasPrice: bigint
  /** Of type 3. */
  readonly blobGasUsed?: bigint
  readonly logsBloom: Hex
  readonly logs: readonly Log[]
}

/** A log of a filter, with its transaction. */
export interface FoundLog extends Log {
  readonly transactionIndex: number
  /** Undefined unless it was asked for. */
  readonly transactionHash?: Hash
}

/** A withdrawal from the beacon chain. */
export interface Withdrawal {
  readonly index: bigint
  readonly validatorIndex: bigint
  readonly address: Hex
  /** In gwei. */
  readonly amount: bigint
}

/** What one proof proves of a block. */
export type BodyValue =
  /** Those of the indices that were asked for and are there, and how many the block has. */
  | { readonly count: number; readonly transactions: readonly Transaction[] }
  | { readonly count: number; readonly receipts: readonly Receipt[] }
  | { readonly withdrawals: readonly Withdrawal[] }
  /** false: the block has no log of the filter. */
  | { readonly bloom: boolean }
  /** All logs of the filter. */
  | { readonly logs: readonly FoundLog[] }

/** The core's fact: the same with hex for numbers. */
export type BodyFactJson =
  | { readonly count: number; readonly transactions: readonly FactRecord[] }
  | { readonly count: number; readonly receipts: readonly FactRecord[] }
  | { readonly withdrawals: readonly FactRecord[] }
  | { readonly bloom: boolean }
  | { readonly logs: readonly FactRecord[] }

/** Fields of a transaction, a receipt, a log or a withdrawal. */
export type FactRecord = Readonly<Record<string, unknown>>

/** Which logs are asked for, as in `eth_getLogs`. */
export interface LogFilter {
  /** One contract or several; any, if left out. */
  readonly address?: string | readonly string[]
  /** By position: a topic, a list of alternatives, or null for any topic. */
  readonly topics?: readonly (string | readonly string[] | null)[]
}

/** A question about one block. */
export type BodyQuestion =
  /** Those of these indices, ascending; all, if left out. */
  | { readonly list: 'transactions' | 'receipts'; readonly indices?: readonly number[] }
  | { readonly list: 'withdrawals' }
  /** Whether the block may have a log of the filter. No node is asked. */
  | ({ readonly list: 'bloom' } & LogFilter)
  /**
   * With `hashes`, each log comes with its transaction's hash, for which the transactions are
   * needed too.
   */
  | ({ readonly list: 'logs'; readonly hashes?: boolean } & LogFilter)
