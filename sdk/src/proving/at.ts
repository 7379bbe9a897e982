/** Which block an action is about. */

import type { Hex } from '../encoding/hex.js'
import { type Hash, isRecord, parseHash, shown } from '../encoding/input.js'
import { InputError } from '../result/errors.js'

/**
 * A block: its number, its hash, or a Block from `getBlock`. With a checkpoint as anchor also
 * `finalized`, the newest final block, or `head`, the newest signed one.
 */
export type BlockLike = bigint | number | string | { readonly number: bigint; readonly hash: Hex }

/** A parsed {@link BlockLike}. */
export type BlockTarget =
  /** The pinned block, or the newest final one. */
  | { readonly by: 'default' }
  | { readonly by: 'tag'; readonly tag: 'finalized' | 'head' }
  | { readonly by: 'number'; readonly number: bigint }
  /** The number is only a hint. */
  | { readonly by: 'hash'; readonly hash: Hash; readonly number?: bigint }

/**
 * Parses `at`.
 *
 * @throws {@link InputError} `input.block`.
 */
export function parseBlock(
  value: unknown,
  argument: string,
  { anchor }: { readonly anchor: { readonly kind: 'block' | 'checkpoint' | 'node' } },
): BlockTarget {
  if (value === undefined) return { by: 'default' }
  const { kind } = anchor
  if (value === 'head' && kind !== 'block') return { by: 'tag', tag: value }
  if (value === 'finalized' && kind === 'checkpoint') return { by: 'tag', tag: value }
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)) {
    return { by: 'hash', hash: parseHash(value, argument, 'input.block') }
  }
  if (isRecord(value)) {
    const hash = parseHash(value['hash'], `${argument}.hash`, 'input.block')
    return { by: 'hash', hash, number: parseNumber(value['number'], `${argument}.number`) }
  }
  return { by: 'number', number: parseNumber(value, argument) }
}

function parseNumber(value: unknown, argument: string): bigint {
  if (typeof value === 'bigint' && value >= 0n && value < 1n << 64n) return value
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  const problem = `expected a block number, a block hash or a Block, got ${shown(value)}`
  const tag = typeof value === 'string' && /^[a-z]+$/.test(value)
  const why = tag ? '; tags are finalized and head, with anchor.checkpoint only' : ''
  throw new InputError('input.block', argument, problem + why)
}
