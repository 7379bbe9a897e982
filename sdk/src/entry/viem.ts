/**
 * Entry for viem: a transport whose answers are proven, and reads of contracts by their ABI. Beside
 * `lightproof`, which makes the client.
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
   * What viem's `custom` takes; `retryCount` is 0 if left out: the client has tried every node
   * itself by then.
   */
  readonly transport?: CustomTransportConfig
}

/**
 * A viem transport over a Lightproof client. What it proves, refuses and passes on is what the
 * provider of `lightproof/eip1193` does; viem wraps its errors, which are their `cause`.
 *
 * @example
 * const viem = createPublicClient({ chain: mainnet, transport: lightproof(client) })
 * await viem.getBalance({ address })
 *
 * Senders of transactions are recovered by viem, which loads its own code for it then.
 *
 * @throws InputError for a malformed option; `input.chain`, from viem's `create…Client`, if its
 *   chain is another than the client's.
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
