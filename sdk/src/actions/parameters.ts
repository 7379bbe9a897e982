/** What the actions take, and how it is parsed. */

import { isSystem } from '../chains.js'
import type { Client } from '../client.js'
import { type BlockLike, parseBlock } from '../core/at.js'
import type { Inquiry } from '../core/prove.js'
import type { Hex } from '../encoding/hex.js'
import { isRecord, parseAddress, parseOptions, shown } from '../encoding/input.js'
import { InputError } from '../errors.js'
import { askAccount } from '../systems/mpt.js'
import type { Ask, ProofSystem } from '../systems/system.js'
import { type HashModule, loadHash } from '../wasm/module.js'

/** A block, and a way to stop. */
export interface BlockAndSignal {
  /** A block number, a block hash, or a Block; the pinned block, or the newest final one, if left out. */
  readonly at?: BlockLike
  /** Aborts the action, which then throws the signal's reason. */
  readonly signal?: AbortSignal
}

/** An account at a block. */
export interface AccountParameters extends BlockAndSignal {
  /** `0x` and 40 hex digits. In mixed case its EIP-55 checksum must be right. */
  readonly address: string
}

/** Names of {@link AccountParameters}. */
export const ACCOUNT_PARAMETERS = ['address', 'at', 'signal'] as const

/** The question that the parameters ask about an account. */
export async function parseQuestion(
  client: Client,
  parameters: { readonly [key in keyof AccountParameters]?: unknown },
  slots: readonly Hex[] = [],
  wantCode = false,
): Promise<Inquiry> {
  return parseInquiry(client, parameters, (hash) =>
    askAccount(parseAddress(parameters.address, 'address', hash), slots, wantCode),
  )
}

/** The block and the signal of the parameters, and the question that `parse` finds in them. */
export async function parseInquiry(
  client: Client,
  parameters: { readonly [key in keyof BlockAndSignal]?: unknown },
  parse: (hash: HashModule) => Ask,
): Promise<Inquiry> {
  const at = parseBlock(parameters.at, 'at', client)
  const signal = parseSignal(parameters.signal)
  signal?.throwIfAborted()
  return { at, signal, ask: parse(await loadHash()) }
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
  if (isRecord(value) && isSystem(value['name']) && typeof value[needs] === 'function') {
    // By shape, as far as it is used: the systems of this package are typed by their entries.
    return value as unknown as S
  }
  const problem = "expected a system from an entry of its own, as cole of 'lightproof/cole'"
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
  throw new InputError('input.option', 'signal', `expected an AbortSignal, got ${shown(value)}`)
}

/** By shape: a signal may come from another realm (an iframe, a test environment). */
function isSignal(value: unknown): value is AbortSignal {
  return isRecord(value) && typeof value['aborted'] === 'boolean' && 'addEventListener' in value
}
