/**
 * Entry for viem: a transport whose answers are proven, and reads of contracts by their ABI. Beside `lightproof`, which makes the client.
 *
 * @packageDocumentation
 */

import { type CustomTransport, type CustomTransportConfig, custom } from 'viem'
import { createProvider, type Provider, type ProviderOptions } from '../adapters/provider.js'
import { unprovenList } from '../adapters/unprovenList.js'
import type { Client } from '../client/client.js'
import { isRecord } from '../encoding/input.js'
import { InputError } from '../result/errors.js'

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
  /** What viem's `custom` takes; `retryCount` is 0 if left out: the client has tried every node itself by then. */
  readonly transport?: CustomTransportConfig
}

/**
 * A viem transport over a Lightproof client. What it proves, refuses and passes on is what the provider of
 * `lightproof/eip1193` does; viem wraps its errors, which are their `cause`.
 *
 * @example
 * const viem = createPublicClient({ chain: mainnet, transport: lightproof(client) })
 * await viem.getBalance({ address })
 *
 * Blocks whose transactions are not proven have a `transactions` that throws when it is read, since viem itself would
 * make an empty list of it.
 *
 * @throws InputError for a malformed option; `input.chain`, from viem's `create…Client`, if its chain is another than the
 * client's.
 */
export function lightproof(
  client: Client,
  { transport = {}, ...options }: LightproofTransportOptions = {},
): CustomTransport {
  const provider: Provider = createProvider(client, options)
  const request: Provider['request'] = async (call) => {
    const result = await provider.request(call)
    const isBlock = call.method.startsWith('eth_getBlockBy') && isRecord(result)
    return isBlock ? { transactions: unprovenList(), ...result } : result
  }
  const config = { key: 'lightproof', name: 'Lightproof', retryCount: 0, ...transport }
  const make = custom({ request }, config)
  return (given) => {
    checkChain(client, given.chain)
    return make(given)
  }
}

function checkChain({ chain }: Client, viem: { id: number; name: string } | undefined): void {
  if (viem === undefined || viem.id === chain.chainId) return
  const problem = `viem's client is of ${viem.name} (${viem.id}), this client of ${chain.name} (${chain.chainId})`
  throw new InputError('input.chain', 'chain', `${problem}: give both the same chain`)
}
