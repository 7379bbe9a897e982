/** System lmpt: a key's newest write over three layered tries, and the layer that holds it. */

import type { Hex } from '../encoding/hex.js'
import { type KeyLike, type KeySystemTypes, keySystem, parseKeyLike, slotOf } from './keys.js'
import type { KeySystem } from './system.js'

/** A layer of the state: writes of this interval, of the one before, and everything older. */
export type LmptLayer = 'delta' | 'intermediate' | 'snapshot'

/** What the core says of a key. */
export type LmptItem = { readonly key: Hex; readonly layer: LmptLayer } & (
  | { readonly status: 'present'; readonly value: Hex }
  | { readonly status: 'absent' | 'deleted' }
)

/**
 * What a proof says of a key, and the layer that decides it. `deleted` is a deletion that is not
 * merged yet: once it is, the key is `absent`, and it is the snapshot that shows it.
 */
export type LmptOutcome =
  | {
      readonly status: 'present'
      readonly key: Hex
      readonly value: Hex
      readonly layer: LmptLayer
    }
  | {
      readonly status: 'absent' | 'deleted'
      readonly key: Hex
      readonly value: undefined
      readonly layer: LmptLayer
    }

/** Formats of {@link lmpt}. */
export type LmptFormat = 'lmpt/1' | 'lmpt/conflux'

/** The types of {@link lmpt}. */
export type LmptTypes = KeySystemTypes<'lmpt', KeyLike, LmptItem, LmptOutcome, LmptFormat>

/**
 * Keys over three layered tries. On a chain of `lmpt/1` a key is `{ address, slot }` or any bytes;
 * on one of `lmpt/conflux` it is the bytes of a snapshot key: address ‖ `data` ‖ slot, and the
 * like.
 */
export const lmpt: KeySystem<LmptTypes> = keySystem({
  name: 'lmpt',
  module: 'hash',
  verifier: 'LmptVerifier',
  formats: ['lmpt/1', 'lmpt/conflux'],
  devnet: { format: 'lmpt/1' },
  variants: ['plain', 'adjacent'],
  parseKey: parseKeyLike,
  inState: slotOf,
  outcomeOf: (item) => (item.status === 'present' ? { ...item } : { ...item, value: undefined }),
})
