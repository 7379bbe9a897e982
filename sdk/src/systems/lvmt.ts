/**
 * System lvmt: a key's latest value, how often it was written and the block that wrote it last; or
 * that it never was.
 */

import type { Hex } from '../encoding/hex.js'
import { type KeyLike, type KeySystemTypes, keySystem, parseKeyLike, slotOf } from './keys.js'
import type { KeySystem } from './system.js'

/** What the core says of a key. */
export type LvmtItem = { readonly key: Hex } & (
  | {
      readonly status: 'present'
      readonly value: Hex
      readonly version: Hex
      readonly block: Hex
      readonly level: number
      readonly slot: number
    }
  | { readonly status: 'absent' }
)

/**
 * What a proof says of a key. An empty value (`0x`) is a value: the system has no deletion, and a
 * slot that a chain clears stays present.
 */
export type LvmtOutcome =
  | {
      readonly status: 'present'
      readonly key: Hex
      readonly value: Hex
      /** How often it was written. */
      readonly version: bigint
      /** The block that wrote it last. */
      readonly block: bigint
    }
  | { readonly status: 'absent'; readonly key: Hex; readonly value: undefined }

/** Formats of {@link lvmt}. */
export type LvmtFormat = 'lvmt/1' | 'lvmt/osdi23'

/** The types of {@link lvmt}. */
export type LvmtTypes = KeySystemTypes<'lvmt', KeyLike, LvmtItem, LvmtOutcome, LvmtFormat>

/** Latest values over vector commitments on BN254. A key is `{ address, slot }` or any bytes. */
export const lvmt: KeySystem<LvmtTypes> = keySystem({
  name: 'lvmt',
  module: 'bn254',
  verifier: 'LvmtVerifier',
  partsFrom: { hybrid: 100_000, kzg: 100_000, fold: 100_000, pairs: 100_000 },
  formats: ['lvmt/1', 'lvmt/osdi23'],
  // 2^16 leaves, whose secret is known.
  devnet: {
    format: 'lvmt/1',
    paramsDigest: '0x325fd1a1df356892939259a7f1411e935ff3a574e9bbcdeb3a168d78214a03ce',
    insecure: true,
  },
  variants: ['hybrid', 'kzg', 'fold', 'pairs'],
  parseKey: parseKeyLike,
  inState: slotOf,
  shardOf(key, bits, { config, params }, hash) {
    const [k = 0] = params
    // The index of the key's leaf in the root AMT: k bits, of which the lowest are the shard.
    const [high = 0, low = 0] = config.format === 'lvmt/1' ? hash.keccak256(key) : key
    return (((high << 8) | low) >> (16 - k)) & ((1 << bits) - 1)
  },
  outcomeOf: (item) => {
    if (item.status === 'absent') return { ...item, value: undefined }
    const { status, key, value, version, block } = item
    return { status, key, value, version: BigInt(version), block: BigInt(block) }
  },
})
