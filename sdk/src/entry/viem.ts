/**
 * Entry for viem: a transport with proven answers, and contract reads by ABI. Needs a client of
 * `lightproof`.
 *
 * @packageDocumentation
 */

import { type CustomTransport, type CustomTransportConfig, custom, recoverAddress } from 'viem'
import { createProvider, type Provider, type ProviderOptions } from '../adapters/provider.js'
import type { Client } from '../client/client.js'
import { InputError } from '../result/errors.js'
import type { RecoverAddress } from '../systems/body/sender.js'

export {
  type MulticallParameters,
  type MulticallResult,
  multicall,
  type ReadOutcomes,
  type ReadParameters,
  readContract,
} from '../adapters/contracts.js'

/** Options of {@link lightproof}. */
export interface LightproofTransportOptions extends ProviderOptions {
  /**
   * Options of viem's `custom` transport. `retryCount` defaults to 0, since the client itself tries
   * every node.
   */
  readonly transport?: CustomTransportConfig
}

/**
 * A viem transport over a Lightproof client. It proves, refuses and forwards the same methods as the
 * provider of `lightproof/eip1193`. viem wraps the provider's errors as `cause`.
 *
 * @example
 * const viem = createPublicClient({ chain: mainnet, transport: lightproof(client) })
 * await viem.getBalance({ address })
 *
 * viem recovers the senders of transactions, and loads its own code for that when it is needed.
 *
 * @throws InputError for a malformed option. viem's `create…Client` throws `input.chain` if its
 *   chain differs from the client's.
 */
export function lightproof(
  client: Client,
  { transport = {}, ...options }: LightproofTransportOptions = {},
): CustomTransport {
  const provider: Provider = createProvider(client, { recoverAddress: recover, ...options })
  const config = { key: 'lightproof', name: 'Lightproof', retryCount: 0, ...transport }
  const make = custom(provider, config)
  return (given) => {
    checkChain(client, given.chain)
    return make(given)
  }
}

const recover: RecoverAddress = ({ hash, ...signature }) => recoverAddress({ hash, signature })

function checkChain({ chain }: Client, viem: { id: number; name: string } | undefined): void {
  if (viem === undefined || viem.id === chain.chainId) return
  const problem = `viem's client is of ${viem.name} (${viem.id}), this client of ${chain.name} (${chain.chainId})`
  throw new InputError('input.chain', 'chain', `${problem}: give both the same chain`)
}
