/**
 * What a provider's methods return, as JSON-RPC prints it: of what is proven. A node's word (`prefer`,
 * `off`) is passed on as it comes.
 */

import type { Hex } from '../encoding/hex.js'

/** A block of `eth_getBlockBy*`: fields that no root binds are left out. */
export interface RpcBlock {
  readonly number: Hex
  readonly hash: Hex
  readonly parentHash: Hex
  readonly timestamp: Hex
  /** Hashes; or, if they were asked for, transactions. */
  readonly transactions?: readonly (Hex | RpcTransaction)[]
  readonly [field: string]: unknown
}

/** A transaction; its place is null while it waits. */
export interface RpcTransaction {
  readonly hash: Hex
  readonly blockHash: Hex | null
  readonly blockNumber: Hex | null
  readonly transactionIndex: Hex | null
  /** Left out where the sender was not recovered. */
  readonly from?: Hex
  readonly to: Hex | null
  readonly value: Hex
  readonly nonce: Hex
  readonly input: Hex
  readonly [field: string]: unknown
}

/** A log. */
export interface RpcLog {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockHash: Hex
  readonly blockNumber: Hex
  readonly transactionHash: Hex
  readonly transactionIndex: Hex
  readonly logIndex: Hex
  readonly removed: boolean
  readonly [field: string]: unknown
}

/** A receipt. */
export interface RpcReceipt {
  readonly transactionHash: Hex
  readonly blockHash: Hex
  readonly blockNumber: Hex
  readonly transactionIndex: Hex
  /** Left out where the sender was not recovered. */
  readonly from?: Hex
  readonly to: Hex | null
  readonly contractAddress?: Hex | null
  readonly gasUsed: Hex
  readonly logs: readonly RpcLog[]
  readonly [field: string]: unknown
}

/** An answer of `eth_getProof`. */
export interface RpcProof {
  readonly address: Hex
  readonly balance: Hex
  readonly nonce: Hex
  readonly codeHash: Hex
  readonly storageHash: Hex
  readonly accountProof: readonly Hex[]
  readonly storageProof: readonly {
    readonly key: Hex
    readonly value: Hex
    readonly proof: readonly Hex[]
  }[]
}

/** The results of methods, by name; of others nothing is known. */
export interface RpcResults {
  readonly eth_accounts: readonly Hex[]
  readonly eth_blockNumber: Hex
  readonly eth_call: Hex
  readonly eth_chainId: Hex
  readonly eth_createAccessList: {
    readonly accessList: readonly { readonly address: Hex; readonly storageKeys: readonly Hex[] }[]
    readonly gasUsed: Hex
    readonly error?: string
  }
  readonly eth_estimateGas: Hex
  readonly eth_gasPrice: Hex
  readonly eth_getBalance: Hex
  readonly eth_getBlockByHash: RpcBlock | null
  readonly eth_getBlockByNumber: RpcBlock | null
  readonly eth_getBlockReceipts: readonly RpcReceipt[] | null
  readonly eth_getBlockTransactionCountByHash: Hex | null
  readonly eth_getBlockTransactionCountByNumber: Hex | null
  readonly eth_getCode: Hex
  readonly eth_getFilterLogs: readonly RpcLog[]
  readonly eth_getLogs: readonly RpcLog[]
  readonly eth_getProof: RpcProof
  readonly eth_getStorageAt: Hex
  readonly eth_getTransactionByBlockHashAndIndex: RpcTransaction | null
  readonly eth_getTransactionByBlockNumberAndIndex: RpcTransaction | null
  readonly eth_getTransactionByHash: RpcTransaction | null
  readonly eth_getTransactionCount: Hex
  readonly eth_getTransactionReceipt: RpcReceipt | null
  readonly eth_maxPriorityFeePerGas: Hex
  readonly eth_newBlockFilter: Hex
  readonly eth_newFilter: Hex
  readonly eth_sendRawTransaction: Hex
  readonly eth_subscribe: Hex
  readonly eth_syncing: false
  readonly eth_uninstallFilter: boolean
  readonly eth_unsubscribe: boolean
  readonly net_listening: true
  readonly net_version: string
  readonly wallet_switchEthereumChain: null
  readonly web3_clientVersion: string
  readonly web3_sha3: Hex
}

/** A request of JSON-RPC. */
export interface RpcRequest<M extends string = string> {
  readonly method: M
  readonly params?: unknown
}

/** The result of a method; unknown of those that are not listed. */
export type RpcResult<M extends string> = M extends keyof RpcResults ? RpcResults[M] : unknown
