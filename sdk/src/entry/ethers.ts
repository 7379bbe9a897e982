/**
 * Entry for ethers v6: a provider whose answers are proven. Beside `lightproof`, which makes the
 * client.
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
} from 'ethers'
import { createProvider, type Provider, type ProviderOptions } from '../adapters/provider.js'
import { ProviderRpcError, toRpcError } from '../adapters/rpcError.js'
import type { Client } from '../client/client.js'
import { CallError } from '../evm/error.js'
import type { RecoverAddress } from '../systems/body/sender.js'

/**
 * An ethers provider over a Lightproof client: accounts, blocks, transactions, receipts, logs and
 * fees are proven. What it refuses and passes on is what the provider of `lightproof/eip1193` does,
 * and its errors are {@link ProviderRpcError}s.
 *
 * @example
 * const provider = new LightproofProvider(createClient({ chain: mainnet, anchor: { checkpoint },
 * nodes, beacons })) await provider.getBalance(address)
 */
export class LightproofProvider extends JsonRpcApiProvider {
  readonly #provider: Provider

  /** @throws InputError for a malformed option. */
  constructor(client: Client, options: ProviderOptions = {}) {
    const { name, chainId } = client.chain
    const network = new Network(name, chainId)
    // No cache: the client has its own, and answers of one block must not pass for those of the
    // next.
    const polls = options.pollMs === undefined ? {} : { pollingInterval: options.pollMs }
    super(network, { staticNetwork: network, batchMaxCount: 1, cacheTimeout: -1, ...polls })
    const recover: RecoverAddress = ({ hash, ...signature }) => recoverAddress(hash, signature)
    this.#provider = createProvider(client, { recoverAddress: recover, ...options })
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
   * The provider's own error: ethers would hide its code and data in another. But a call that was
   * proven to revert is what ethers makes of it, for contracts' errors.
   */
  override getRpcError(payload: JsonRpcPayload, { id, error }: JsonRpcError): Error {
    const isOwn = error instanceof ProviderRpcError && !(error.cause instanceof CallError)
    return isOwn ? error : super.getRpcError(payload, { id, error })
  }

  override _wrapBlock(value: BlockParams, network: Network): Block {
    // It is JSON as yet, whatever its type says; a devnet's header has none of Ethereum's other
    // fields.
    return super._wrapBlock(
      { ...BLANK, ...(value as Partial<BlockParams>) } as BlockParams,
      network,
    )
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
