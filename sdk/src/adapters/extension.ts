/** Parts of a provider that answer methods beyond accounts and headers. */

import { isRecord } from '../encoding/input.js'
import { InputError } from '../result/errors.js'
import type { Json } from '../result/json.js'
import type { Answer, Ask, Method } from './methods.js'

/** A method of an extension. */
export type ExtensionMethod = Pick<Method, 'proves' | 'isOwn'>

/**
 * Looks for news once. It is called again and again, never while the call before it is under way;
 * what it throws is made good by the next call.
 */
export type Poll = () => Promise<void>

/** What a subscription looks for, and how. */
export type Source = (ask: Ask, tell: (news: Json) => void) => Poll

/**
 * Methods that are answered without trusting a node, and who answers them. Made anew for each
 * provider.
 */
export interface ProviderExtension {
  /** By name. They replace a provider's own methods, but not those about itself. */
  readonly methods: Readonly<Record<string, ExtensionMethod>>
  /**
   * Answers one of the methods.
   *
   * @throws ProviderRpcError, or any error of an action.
   */
  readonly handle: (method: string, ask: Ask) => Promise<Answer>
  /**
   * Kinds of `eth_subscribe`, with the subscription's parameters in `ask.params`, its kind first.
   */
  readonly subscriptions?: Readonly<Record<string, Source>>
}

/** A provider's methods with those of its extensions; later ones replace earlier ones. */
export function extend(
  methods: ReadonlyMap<string, Method>,
  extensions: readonly ProviderExtension[],
): ReadonlyMap<string, Method> {
  const all = new Map(methods)
  for (const { methods: added, handle } of extensions) {
    for (const [name, { proves, isOwn = false }] of Object.entries(added)) {
      if (methods.get(name)?.isOwn) {
        const problem = `${name} is about the provider itself, so no extension may answer it`
        throw new InputError('input.option', 'extensions', problem)
      }
      all.set(name, { proves, isOwn, answer: (ask) => handle(name, ask) })
    }
  }
  return all
}

/** @throws InputError unless it is a list of extensions, by their shape. */
export function parseExtensions(value: unknown = []): readonly ProviderExtension[] {
  if (Array.isArray(value) && value.every(isExtension)) return value
  throw new InputError('input.option', 'extensions', 'expected a list of provider extensions')
}

function isExtension(value: unknown): value is ProviderExtension {
  return isRecord(value) && isRecord(value['methods']) && typeof value['handle'] === 'function'
}
