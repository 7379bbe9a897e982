/**
 * Entry for ethers v6: a provider whose answers are proven. Beside `lightproof`, which makes the client.
 *
 * @packageDocumentation
 */

import {
  Block,
  type BlockParams,
  JsonRpcApiProvider,
  type JsonRpcError,
  type JsonRpcPayload,
  type JsonRpcResult,
  Network,
} from 'ethers'
import { createProvider, type Provider, type ProviderOptions } from '../adapters/provider.js'
import { ProviderRpcError, toRpcError } from '../adapters/rpcError.js'
import { noList } from '../adapters/unprovenList.js'
import type { Client } from '../client/client.js'
import { CallError } from '../evm/error.js'

/** Lists that a header only holds the root of are not proven, so they cannot be read. */
export class ProvenBlock extends Block {
  /** @throws always: the header proves no list of transactions. */
  override get transactions(): readonly string[] {
    throw noList()
  }

  /** @throws always: as {@link ProvenBlock.transactions}. */
  override get prefetchedTransactions(): never {
    throw noList()
  }

  /** @throws always: as {@link ProvenBlock.transactions}. */
  override get length(): number {
    throw noList()
  }

  /** @throws always: as {@link ProvenBlock.transactions}. */
  override async getTransaction(): Promise<never> {
    throw noList()
  }

  /** @throws always: as {@link ProvenBlock.transactions}. */
  override getPrefetchedTransaction(): never {
    throw noList()
  }

  /** The header's fields. */
  override toJSON(): Record<string, unknown> {
    const { number, hash, parentHash, timestamp, stateRoot, receiptsRoot, miner, gasLimit } = this
    const { gasUsed, extraData, baseFeePerGas, prevRandao } = this
    const roots = { number, hash, parentHash, timestamp, stateRoot, receiptsRoot, miner }
    const gas = { gasLimit: text(gasLimit), gasUsed: text(gasUsed), extraData, prevRandao }
    const fee = baseFeePerGas === null ? null : text(baseFeePerGas)
    return { _type: 'Block', ...roots, ...gas, baseFeePerGas: fee }
  }
}

function text(value: bigint): string {
  return value.toString()
}

/**
 * An ethers provider over a Lightproof client: getBalance, getTransactionCount, getCode, getStorage, getBlock and
 * getBlockNumber are proven. What it refuses and passes on is what the provider of `lightproof/eip1193` does, and its
 * errors are {@link ProviderRpcError}s.
 *
 * @example
 * const provider = new LightproofProvider(createClient({ chain: mainnet, anchor: { checkpoint }, nodes, beacons }))
 * await provider.getBalance(address)
 */
export class LightproofProvider extends JsonRpcApiProvider {
  readonly #provider: Provider

  /** @throws InputError for a malformed option. */
  constructor(client: Client, options: ProviderOptions = {}) {
    const { name, chainId } = client.chain
    const network = new Network(name, chainId)
    // No cache: the client has its own, and answers of one block must not pass for those of the next.
    super(network, { staticNetwork: network, batchMaxCount: 1, cacheTimeout: -1 })
    this.#provider = createProvider(client, options)
    this._start()
  }

  /** Answers for ethers; its own methods call it. */
  override async _send(
    payload: JsonRpcPayload | JsonRpcPayload[],
  ): Promise<(JsonRpcResult | JsonRpcError)[]> {
    const payloads = Array.isArray(payload) ? payload : [payload]
    return Promise.all(payloads.map((one) => this.#one(one)))
  }

  async #one({ id, method, params }: JsonRpcPayload): Promise<JsonRpcResult | JsonRpcError> {
    try {
      return { id, result: await this.#provider.request({ method, params }) }
    } catch (error) {
      // getRpcError hands it on as it is.
      return { id, error: toRpcError(error) }
    }
  }

  /**
   * The provider's own error: ethers would hide its code and data in another. But a call that was proven to revert is what ethers
   * makes of it, for contracts' errors.
   */
  override getRpcError(payload: JsonRpcPayload, { id, error }: JsonRpcError): Error {
    const isOwn = error instanceof ProviderRpcError && !(error.cause instanceof CallError)
    return isOwn ? error : super.getRpcError(payload, { id, error })
  }

  override _wrapBlock(value: BlockParams, network: Network): Block {
    // It is JSON as yet, whatever its type says; a devnet's header has none of Ethereum's other fields.
    const { transactions, ...json } = value as Partial<BlockParams>
    const params = { ...BLANK, ...json, transactions: transactions ?? [] } as BlockParams
    const block = super._wrapBlock(params, network)
    if (transactions !== undefined) return block
    return new ProvenBlock({ ...block, transactions: [] }, this)
  }

  /** Ends it, and the provider below. */
  override destroy(): void {
    this.#provider.close()
    super.destroy()
  }
}

const BLANK = {
  difficulty: '0x0',
  extraData: '0x',
  gasLimit: '0x0',
  gasUsed: '0x0',
  miner: `0x${'00'.repeat(20)}`,
  nonce: '0x0000000000000000',
} as const
