/**
 * Entry for viem: a transport whose answers are proven. Beside `lightproof`, which makes the client.
 *
 * @packageDocumentation
 */

import { type CustomTransport, type CustomTransportConfig, custom } from 'viem'
import { createProvider, type Provider, type ProviderOptions } from './adapters/provider.js'
import type { Client } from './client.js'

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
 * @throws InputError for a malformed option.
 */
export function lightproof(
  client: Client,
  { transport = {}, ...options }: LightproofTransportOptions = {},
): CustomTransport {
  const provider: Provider = createProvider(client, options)
  return custom(provider, { key: 'lightproof', name: 'Lightproof', retryCount: 0, ...transport })
}
