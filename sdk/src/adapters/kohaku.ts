/**
 * The provider interface of `@kohaku-eth/provider`, over proofs. It is written from that interface;
 * the package is not needed.
 */

import { parseSignal } from '../actions/parameters.js'
import { proven } from '../actions/proven.js'
import type { Client } from '../client/client.js'
import { type Hex, toQuantity } from '../encoding/hex.js'
import { isRecord, shown } from '../encoding/input.js'
import { waitForTransaction } from '../ethereum/blocks/waitForTransaction.js'
import { createProvider, type Provider, type ProviderOptions } from './provider.js'
import { invalidParams } from './rpcError.js'

/** A log, as Kohaku has it. */
export interface KohakuLog {
  readonly blockNumber: bigint
  topics: string[]
  readonly data: string
  readonly address: string
}

/** A receipt, as Kohaku has it. */
export interface KohakuReceipt {
  readonly blockNumber: bigint
  /** 1 for success, 0 for failure. */
  readonly status: bigint
  logs: KohakuLog[]
  readonly gasUsed: bigint
}

/** A call, as Kohaku has it: JSON-RPC's, with its block beside. */
export interface KohakuCall {
  readonly to: Hex
  readonly from?: Hex | undefined
  readonly gas?: Hex | undefined
  readonly gasPrice?: Hex | undefined
  readonly value?: Hex | undefined
  readonly input?: Hex | undefined
  readonly block?: Hex | 'latest' | 'pending' | 'earliest' | undefined
}

/** Which logs, as Kohaku (and ox) have it: block numbers are integers. */
export interface KohakuFilter {
  readonly address?: Hex | readonly Hex[] | null | undefined
  readonly topics?: readonly (Hex | readonly Hex[] | null)[] | null | undefined
  readonly blockHash?: Hex | undefined
  readonly fromBlock?: bigint | number | string | undefined
  readonly toBlock?: bigint | number | string | undefined
}

/** `EthereumProvider` of `@kohaku-eth/provider`. Every answer is proven, or an error. */
export interface KohakuProvider {
  /** The EIP-1193 provider below. */
  readonly _internal: Provider
  /** A method of EIP-1193. */
  request(request: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  /** Of the client's chain. */
  getChainId(): Promise<bigint>
  /** Of the newest proven block. */
  getBlockNumber(): Promise<bigint>
  /** Wei. */
  getBalance(address: string): Promise<bigint>
  /** Hex; `0x` for an account without code. */
  getCode(address: string): Promise<string>
  /** Every log that the filter wants, none left out. */
  getLogs(filter: KohakuFilter): Promise<KohakuLog[]>
  /** Null for a transaction that no block is known to hold. */
  getTransactionReceipt(txHash: string): Promise<KohakuReceipt | null>
  /**
   * Waits until the receipt is proven in a signed block, or the signal of the options is aborted;
   * throws if it was replaced.
   */
  waitForTransaction(txHash: string): Promise<void>
  /** What a call returns; undefined if it returns nothing. */
  call(call: KohakuCall): Promise<Hex | undefined>
  /** The least gas with which a call succeeds. */
  estimateGas(call: KohakuCall): Promise<bigint>
  /** Wei per gas. */
  getGasPrice(): Promise<bigint>
}

/** Options of {@link kohaku}. */
export interface KohakuOptions extends ProviderOptions {
  /** Closes the provider, and ends what waits: it throws the signal's reason. */
  readonly signal?: AbortSignal
}

/**
 * A provider for Kohaku's packages. Calls and gas need `extensions: [evm()]`.
 *
 * @example
 * const provider = kohaku(client, { extensions: [evm()] })
 *
 * @throws InputError for a malformed option.
 */
export function kohaku(
  client: Client,
  { signal: given, ...options }: KohakuOptions = {},
): KohakuProvider {
  const signal = parseSignal(given)
  const provider = createProvider(client, options)
  signal?.addEventListener('abort', () => provider.close(), { once: true })
  const ask = (method: string, ...params: readonly unknown[]): Promise<unknown> =>
    provider.request({ method, params })
  const integer = async (method: string, ...params: readonly unknown[]): Promise<bigint> =>
    BigInt((await ask(method, ...params)) as Hex)
  const { pollMs, recoverAddress } = options
  const waiting = {
    ...(pollMs !== undefined && { pollMs }),
    ...(recoverAddress && { recoverAddress }),
    ...(signal && { signal }),
  }
  return {
    _internal: provider,
    request: (request) => provider.request(request),
    getChainId: () => integer('eth_chainId'),
    getBlockNumber: () => integer('eth_blockNumber'),
    getBalance: (address) => integer('eth_getBalance', address, 'latest'),
    getCode: async (address) => String(await ask('eth_getCode', address, 'latest')),
    getLogs: async (filter) => logsOf(await ask('eth_getLogs', filterOf(filter))),
    getTransactionReceipt: async (txHash) =>
      receiptOf(await ask('eth_getTransactionReceipt', txHash)),
    async waitForTransaction(hash) {
      proven(await waitForTransaction(client, { hash, ...waiting }))
    },
    // Sound: eth_call answers with hex.
    call: async ({ block = 'latest', ...call }) => (await ask('eth_call', call, block)) as Hex,
    estimateGas: ({ block = 'latest', ...call }) => integer('eth_estimateGas', call, block),
    getGasPrice: () => integer('eth_gasPrice'),
  }
}

function filterOf(filter: KohakuFilter): object {
  if (!isRecord(filter)) throw invalidParams(`expected a filter, got ${shown(filter)}`)
  const { address, topics, blockHash, fromBlock, toBlock } = filter
  const given = { address, topics, blockHash, fromBlock: tagOf(fromBlock), toBlock: tagOf(toBlock) }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value != null))
}

function tagOf(block: unknown): unknown {
  return typeof block === 'bigint' || typeof block === 'number' ? toQuantity(BigInt(block)) : block
}

// What the provider answers is its own: proven, and of the shape that JSON-RPC has.

function logsOf(logs: unknown): KohakuLog[] {
  return (logs as RpcLog[]).map(({ blockNumber, topics, data, address }) => {
    return { blockNumber: BigInt(blockNumber), topics: [...topics], data, address }
  })
}

function receiptOf(receipt: unknown): KohakuReceipt | null {
  if (receipt === null) return null
  const { blockNumber, status = '0x0', logs, gasUsed } = receipt as RpcReceipt
  const [number, ended] = [BigInt(blockNumber), BigInt(status)]
  return { blockNumber: number, status: ended, logs: logsOf(logs), gasUsed: BigInt(gasUsed) }
}

interface RpcLog {
  readonly blockNumber: Hex
  readonly topics: readonly string[]
  readonly data: string
  readonly address: string
}

interface RpcReceipt {
  readonly blockNumber: Hex
  /** Left out before Byzantium. */
  readonly status?: Hex
  readonly logs: readonly RpcLog[]
  readonly gasUsed: Hex
}
