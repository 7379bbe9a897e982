/** What the actions take, and how it is parsed. */

import { isSystemName } from '../client/chains.js'
import type { Client } from '../client/client.js'
import { isRecord, parseOptions, shown, unexpected } from '../encoding/input.js'
import { type BlockLike, parseBlock } from '../proving/at.js'
import { employed } from '../proving/engine.js'
import { headersOf } from '../proving/nodes.js'
import type { Inquiry } from '../proving/prove.js'
import { InputError } from '../result/errors.js'
import type { Ask, ProofSystem } from '../systems/system.js'
import { type HashModule, loadHash } from '../wasm/module.js'

/** Whether senders are recovered. */
export interface SendersParameters {
  /**
   * Whether transactions and receipts come with `from`, and receipts with `contractAddress`. Loads
   * the module `evm`; for receipts, transactions are fetched once more. Default false.
   */
  readonly senders?: boolean
}

/** A block, and a way to stop. */
export interface BlockAndSignal {
  /**
   * A block number, a block hash, or a Block; the pinned block, or the newest final one, if left
   * out.
   */
  readonly at?: BlockLike
  /** Aborts the action, which then throws the signal's reason. */
  readonly signal?: AbortSignal
}

/**
 * The block and the signal of the parameters, and the question that `parse` finds in them.
 *
 * @param hashes - whether `parse` uses its argument. If not, the module is not waited for:
 *   `askOfBlock` does, when the nodes are asked.
 */
export async function parseInquiry(
  client: Client,
  parameters: { readonly [key in keyof BlockAndSignal]?: unknown },
  parse: (hash: HashModule) => Ask,
  hashes = true,
): Promise<Inquiry> {
  const at = parseBlock(parameters.at, 'at', client)
  const signal = parseSignal(parameters.signal)
  signal?.throwIfAborted()
  warmUp(client)
  return { at, signal, ask: parse(hashes ? await loadHash() : ({} as HashModule)) }
}

/** What a first answer needs, loaded at once. */
function warmUp(client: Client): void {
  if (client.profiles.size > 0) return
  // Signed headers take long to check.
  const started = employed()({ kind: 'start', isLong: client.light !== undefined })
  // A failure is reported where the part is used.
  void Promise.allSettled([loadHash(), started, headersOf({ client })])
}

/**
 * The object that was given as `system`.
 *
 * @throws {@link InputError} `input.option` if it is no system that can do what `needs` names.
 */
export function parseSystem<S extends ProofSystem>(
  value: unknown,
  needs: 'parse' | 'valueOf' | 'parseKeys',
): S {
  if (isRecord(value) && isSystemName(value['name']) && Object.hasOwn(value, needs)) {
    // Its own: every object has a `valueOf`.
    // By shape, as far as it is used: the systems of this package are typed by their entries.
    return value as unknown as S
  }
  const problem = "expected a system object, such as cole from 'lightproof/cole'"
  throw new InputError('input.option', 'system', `${problem}, got ${shown(value)}`)
}

/** The parameters, if all of them are known. */
export function parseParameters<K extends string>(
  client: Client,
  parameters: unknown,
  known: readonly K[],
): { readonly [key in K]?: unknown } {
  if (!Array.isArray(client?.nodes)) {
    throw new InputError('input.option', 'client', 'expected a client made by createClient')
  }
  return parseOptions(parameters, 'parameters', known)
}

/** A signal, if one was given. */
export function parseSignal(value: unknown): AbortSignal | undefined {
  if (value === undefined || isSignal(value)) return value
  throw unexpected('input.option', 'signal', 'an AbortSignal', value)
}

/** By shape: a signal may come from another realm (an iframe, a test environment). */
function isSignal(value: unknown): value is AbortSignal {
  return isRecord(value) && typeof value['aborted'] === 'boolean' && 'addEventListener' in value
}
