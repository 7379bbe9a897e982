/** The events of EIP-1193. */

import type { Hex } from '../encoding/hex.js'
import { tell } from '../proving/tell.js'
import type { Json } from '../result/json.js'
import type { ProviderRpcError } from './rpcError.js'

/** What listeners of each event hear. */
export interface ProviderEvents {
  /** A node of the chain answered, at first or again. */
  connect: { readonly chainId: Hex }
  /** No node can be reached, or none of the chain's; or the provider was closed. */
  disconnect: ProviderRpcError
  /** `wallet_switchEthereumChain` chose another client. */
  chainChanged: Hex
  /** There is no account, so this never happens. */
  accountsChanged: readonly string[]
  /**
   * A subscription has news (`eth_subscription`); or, once, `lightproof_warning`: the client pins a
   * block, so `latest` never moves (`data.code` is `pinned`).
   */
  message: { readonly type: string; readonly data: Json }
}

/** Who hears of each. Methods, so that listeners typed by viem or a dapp fit. */
export interface ProviderListeners {
  /** The provider can be asked. */
  connect(event: ProviderEvents['connect']): void
  /** It can be asked no longer. */
  disconnect(error: ProviderEvents['disconnect']): void
  /** Another chain is the current one. */
  chainChanged(chainId: ProviderEvents['chainChanged']): void
  /** Other accounts are shared. */
  accountsChanged(accounts: ProviderEvents['accountsChanged']): void
  /** A subscription's news, or a warning. */
  message(message: ProviderEvents['message']): void
}

/** Hears an event. */
export type ProviderListener<E extends keyof ProviderEvents> = ProviderListeners[E]

/** Listeners by event. */
export class Emitter {
  readonly #listeners = new Map<string, Set<(event: never) => void>>()

  on<E extends keyof ProviderEvents>(event: E, listener: ProviderListener<E>): void {
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners.add(listener))
  }

  off<E extends keyof ProviderEvents>(event: E, listener: ProviderListener<E>): void {
    this.#listeners.get(event)?.delete(listener)
  }

  /** Tells every listener; what one does of it concerns neither the request nor the others. */
  emit<E extends keyof ProviderEvents>(event: E, value: ProviderEvents[E]): void {
    // Sound: `on` keeps each under the event that it is of.
    const listeners = [...(this.#listeners.get(event) ?? [])] as ((value: unknown) => void)[]
    for (const listener of listeners) {
      tell(listener, value)
    }
  }
}
