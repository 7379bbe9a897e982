/**
 * Entry for ethers v6: a provider with proven answers. Needs a client of `lightproof`.
 *
 * @packageDocumentation
 */

import {
  type Block,
  type BlockParams,
  JsonRpcApiProvider,
  type JsonRpcError,
  type JsonRpcPayload,
  type JsonRpcResult,
  Network,
  recoverAddress,
  type Subscriber,
  type Subscription,
  type TransactionReceipt,
} from 'ethers'
import { createProvider, type Provider, type ProviderOptions } from '../adapters/provider.js'
import { ProviderRpcError, toRpcError, unprovable } from '../adapters/rpcError.js'
import type { Client } from '../client/client.js'
import { isPinned, PINNED } from '../client/pinned.js'
import { CallError } from '../evm/error.js'
import type { RecoverAddress } from '../systems/body/sender.js'

/**
 * An ethers provider over a Lightproof client: accounts, blocks, transactions, receipts, logs and
 * fees are proven. It refuses and forwards the same methods as the provider of
 * `lightproof/eip1193`. Its errors are {@link ProviderRpcError}s.
 *
 * @example
 * const client = createClient({ chain: mainnet, anchor: { checkpoint }, nodes, beacons })
 * const provider = new LightproofProvider(client)
 * await provider.getBalance(address)
 */
export class LightproofProvider extends JsonRpcApiProvider {
  readonly #provider: Provider
  readonly #isPinned: boolean

  /** @throws InputError for a malformed option. */
  constructor(client: Client, options: ProviderOptions = {}) {
    const { name, chainId } = client.chain
    const network = new Network(name, chainId)
    // ethers' cache is off: it could serve an answer for one block as that for the next. The client
    // has a cache of its own.
    const polls = options.pollMs === undefined ? {} : { pollingInterval: options.pollMs }
    super(network, { staticNetwork: network, batchMaxCount: 1, cacheTimeout: -1, ...polls })
    const recover: RecoverAddress = ({ hash, ...signature }) => recoverAddress(hash, signature)
    this.#provider = createProvider(client, { recoverAddress: recover, ...options })
    this.#isPinned = isPinned(client)
    this._start()
  }

  /** Called by ethers' own methods. */
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
      // getRpcError returns it unchanged.
      return { id, error: toRpcError(error) }
    }
  }

  /**
   * Returns the provider's own error, since ethers would wrap it and hide its code and data. A call
   * that is proven to revert goes to ethers, which decodes the contract's error.
   */
  override getRpcError(payload: JsonRpcPayload, { id, error }: JsonRpcError): Error {
    const isOwn = error instanceof ProviderRpcError && !(error.cause instanceof CallError)
    return isOwn ? error : super.getRpcError(payload, { id, error })
  }

  /**
   * Of a client with a pinned block no event comes: whoever listens hears so at once.
   *
   * @throws ProviderRpcError 4200
   */
  override _getSubscriber(subscription: Subscription): Subscriber {
    const isOfChain = subscription.type !== 'debug' && subscription.type !== 'error'
    if (this.#isPinned && isOfChain) throw unprovable(PINNED)
    return super._getSubscriber(subscription)
  }

  /**
   * As ethers' own; with a pinned block it does not wait.
   *
   * @throws ProviderRpcError 4200 where a block is pinned, and the transaction is not deep enough
   *   below it.
   */
  override async waitForTransaction(
    hash: string,
    confirms?: number | null,
    timeout?: number | null,
  ): Promise<TransactionReceipt | null> {
    if (!this.#isPinned) return super.waitForTransaction(hash, confirms, timeout)
    const receipt = await this.getTransactionReceipt(hash)
    if (receipt === null || (await receipt.confirmations()) >= (confirms ?? 1)) return receipt
    throw unprovable(`it will have no more confirmations: ${PINNED}`)
  }

  override _wrapBlock(value: BlockParams, network: Network): Block {
    // The value is still JSON, despite its type. A devnet's header lacks most of Ethereum's fields.
    return super._wrapBlock(
      { ...BLANK, ...(value as Partial<BlockParams>) } as BlockParams,
      network,
    )
  }

  /** Closes this provider and the one that it wraps. */
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
