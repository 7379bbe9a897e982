/** What the actions about an account take, and how it is parsed. */

import type { Client } from '../client.js'
import { type BlockLike, parseBlock } from '../core/at.js'
import type { Question } from '../core/prove.js'
import type { Hex } from '../encoding/hex.js'
import { isRecord, parseAddress, parseOptions, shown } from '../encoding/input.js'
import { InputError } from '../errors.js'
import { loadHash } from '../wasm/module.js'

/** An account at a block. */
export interface AccountParameters {
  /** `0x` and 40 hex digits. In mixed case its EIP-55 checksum must be right. */
  readonly address: string
  /** A block number, a block hash, or a Block; the pinned block, or the newest final one, if left out. */
  readonly at?: BlockLike
  /** Aborts the action, which then throws the signal's reason. */
  readonly signal?: AbortSignal
}

/** Names of {@link AccountParameters}. */
export const ACCOUNT_PARAMETERS = ['address', 'at', 'signal'] as const

/** The question that the parameters ask about an account. */
export async function parseQuestion(
  client: Client,
  parameters: { readonly [key in keyof AccountParameters]?: unknown },
  slots: readonly Hex[] = [],
  wantCode = false,
): Promise<Question> {
  const at = parseBlock(parameters.at, 'at', client)
  const signal = parseSignal(parameters.signal)
  signal?.throwIfAborted()
  const address = parseAddress(parameters.address, 'address', await loadHash())
  return { address, slots, wantCode, at, signal }
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
