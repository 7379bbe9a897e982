/**
 * EIP-6963: a wallet's provider tells the page that it is there, and dapps choose among all that
 * do.
 */

import { isRecord, parseOptions, shown } from '../encoding/input.js'
import { InputError } from '../result/errors.js'
import type { Provider } from './provider.js'

/** What dapps show of a provider (EIP-6963). */
export interface ProviderInfo {
  /** Shown to the user, at most 64 characters. */
  readonly name: string
  /**
   * The wallet's domain, reversed: `org.example.wallet`. Dapps remember the user's choice by it.
   */
  readonly rdns: string
  /** A square image as a `data:image/…` URL, at most 256 kB. */
  readonly icon: string
  /** A UUID (version 4) of this page's visit. Default: a random one. */
  readonly uuid?: string
}

/** Where a provider is announced. */
export interface AnnounceOptions {
  /** Default: the page's `window`. */
  readonly target?: EventTarget
}

const NAMES = ['name', 'rdns', 'icon', 'uuid'] as const
const ANNOUNCE = 'eip6963:announceProvider'
const REQUEST = 'eip6963:requestProvider'
const MAX_ICON = 262_144
// Controls and what reorders text would let one name pass for another.
const NAME = /^[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
const RDNS = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/i
const ICON = /^data:image\/[a-z0-9.+-]+[;,]/i

/**
 * Announces a provider to the page, now and whenever a dapp asks. Dapps get `request`, `on` and
 * `removeListener` alone: they cannot close the provider. Nothing of a dapp's event is read.
 *
 * @example
 * const stop = announceProvider(withSigner(createProvider(client), signer), { name, rdns, icon })
 *
 * @returns a function that ends it: later requests are not answered. Dapps keep what they have.
 * @throws InputError for malformed info, or where there is no window.
 */
export function announceProvider(
  provider: Pick<Provider, 'request' | 'on' | 'removeListener'>,
  info: ProviderInfo,
  options: AnnounceOptions = {},
): () => void {
  const { target = globalThis } = parseOptions(options, 'options', ['target'])
  if (!isEventTarget(target)) {
    const problem = 'expected a window: announce from a page or a content script'
    throw new InputError('input.option', 'target', problem)
  }
  const detail = Object.freeze({ info: parseInfo(info), provider: facade(provider) })
  const announce = (): void => {
    target.dispatchEvent(new CustomEvent(ANNOUNCE, { detail }))
  }
  target.addEventListener(REQUEST, announce)
  announce()
  return () => target.removeEventListener(REQUEST, announce)
}

/** No more than dapps need. */
function facade(
  provider: Pick<Provider, 'request' | 'on' | 'removeListener'>,
): Pick<Provider, 'request' | 'on' | 'removeListener'> {
  const { request, on, removeListener } = isRecord(provider) ? provider : {}
  if ([request, on, removeListener].some((part) => typeof part !== 'function')) {
    throw new InputError('input.option', 'provider', 'expected a provider made by createProvider')
  }
  return Object.freeze({
    request: (call) => provider.request(call),
    on: (event, listener) => provider.on(event, listener),
    removeListener: (event, listener) => provider.removeListener(event, listener),
  } satisfies Pick<Provider, 'request' | 'on' | 'removeListener'>)
}

function parseInfo(value: ProviderInfo): Required<ProviderInfo> {
  const { uuid = crypto.randomUUID(), name, rdns, icon } = parseOptions(value, 'info', NAMES)
  const isIcon = typeof icon === 'string' && icon.length <= MAX_ICON
  return Object.freeze({
    uuid: matched('uuid', uuid, UUID, 'a UUID of version 4'),
    name: matched('name', name, NAME, '1 to 64 printable characters'),
    rdns: matched('rdns', rdns, RDNS, 'a reversed domain such as org.example.wallet'),
    icon: matched('icon', isIcon ? icon : undefined, ICON, 'a data:image/… URL of at most 256 kB'),
  })
}

function matched(name: string, value: unknown, form: RegExp, expected: string): string {
  if (typeof value === 'string' && form.test(value)) return value
  throw new InputError('input.option', `info.${name}`, `expected ${expected}, got ${shown(value)}`)
}

function isEventTarget(value: unknown): value is EventTarget {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'dispatchEvent') === 'function' &&
    typeof Reflect.get(value, 'addEventListener') === 'function'
  )
}
