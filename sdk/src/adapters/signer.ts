/** A provider with a signer in front: what a wallet hands to dapps. */

import { shown } from '../encoding/input.js'
import { InputError } from '../result/errors.js'
import type { ProviderEvents, ProviderListener } from './events.js'
import type { Provider, ProviderMethod } from './provider.js'
import type { RpcRequest } from './schema.js'

/** The wallet's own code, which holds keys and asks its user. */
export interface Signer {
  /**
   * Answers methods about accounts, signatures and the wallet itself. What it throws reaches the
   * dapp as it is: an error with code 4001 says that the user refused.
   */
  request(request: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  /** Tells of accounts that changed. */
  on?(event: 'accountsChanged', listener: ProviderListener<'accountsChanged'>): void
  /** Takes a listener back. */
  removeListener?(event: 'accountsChanged', listener: ProviderListener<'accountsChanged'>): void
}

/** Everything about keys and the wallet, but which chain is asked: that is the provider's own. */
const SIGNED =
  /^(eth_(accounts|requestAccounts|coinbase|send(?!Raw)\w*|sign\w*|decrypt|getEncryptionPublicKey)|personal_\w+|wallet_(?!switchEthereumChain$)\w+)$/

/**
 * Puts a signer in front of a provider: methods about accounts, keys and the wallet go to the
 * signer, all others to the provider, and none of the signer's to a node.
 *
 * @example
 * const wallet = withSigner(createProvider(client), { request: askUser })
 *
 * @throws InputError for a signer without `request`.
 */
export function withSigner(provider: Provider, signer: Signer): Provider {
  if (typeof signer?.request !== 'function') {
    const problem = `expected an object with request(), got ${shown(signer)}`
    throw new InputError('input.option', 'signer', problem)
  }
  return new SigningProvider(provider, signer)
}

class SigningProvider implements Provider {
  readonly #provider: Provider
  readonly #signer: Signer

  constructor(provider: Provider, signer: Signer) {
    this.#provider = provider
    this.#signer = signer
  }

  get methods(): readonly ProviderMethod[] {
    return this.#provider.methods.filter(({ method }) => !SIGNED.test(method))
  }

  async request<R>(request: RpcRequest): Promise<R> {
    // Read once: a dapp's object may name another method the next time.
    const call = { ...request }
    const isSigned = typeof call.method === 'string' && SIGNED.test(call.method)
    return (await (isSigned ? this.#signer : this.#provider).request(call)) as R
  }

  on<E extends keyof ProviderEvents>(event: E, listener: ProviderListener<E>): void {
    if (event === 'accountsChanged') this.#signer.on?.(event, listener as never)
    else this.#provider.on(event, listener)
  }

  removeListener<E extends keyof ProviderEvents>(event: E, listener: ProviderListener<E>): void {
    if (event === 'accountsChanged') this.#signer.removeListener?.(event, listener as never)
    else this.#provider.removeListener(event, listener)
  }

  close(): void {
    this.#provider.close()
  }
}
