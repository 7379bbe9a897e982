/** System verkle: a key in a k-ary Verkle tree, present or absent. */

import type { Hex } from '../encoding/hex.js'
import { type KeyLike, type KeySystemTypes, keySystem, parseKeyLike, slotOf } from './keys.js'
import type { KeySystem } from './system.js'

/** What the core says of a key. */
export type VerkleItem = { readonly key: Hex } & (
  | { readonly status: 'present'; readonly value: Hex }
  | { readonly status: 'absent' }
)

/** What a proof says of a key. A deleted key leaves no trace in the tree: it is `absent`. */
export type VerkleOutcome =
  | { readonly status: 'present'; readonly key: Hex; readonly value: Hex }
  | { readonly status: 'absent'; readonly key: Hex; readonly value: undefined }

/**
 * Formats of {@link verkle}: commitments of Catalano and Fiore or of Kate, Zaverucha and Goldberg,
 * and k.
 */
export type VerkleFormat = `verkle/${'cf' | 'kzg'}-${32 | 256 | 1024}`

/** The types of {@link verkle}. */
export type VerkleTypes = KeySystemTypes<'verkle', KeyLike, VerkleItem, VerkleOutcome, VerkleFormat>

/**
 * Keys in a k-ary Verkle tree; a key is `{ address, slot }` or any bytes. Proofs have one opening
 * for everything (`aggregated`), or one for each node on the way (`plain`).
 */
export const verkle: KeySystem<VerkleTypes> = keySystem({
  name: 'verkle',
  module: 'bls12_381',
  verifier: 'VerkleVerifier',
  partsFrom: { aggregated: 3_000, plain: 3_000 },
  formats: [
    'verkle/cf-32',
    'verkle/cf-256',
    'verkle/cf-1024',
    'verkle/kzg-32',
    'verkle/kzg-256',
    'verkle/kzg-1024',
  ],
  // Nodes of KZG with Ethereum's ceremony.
  devnet: {
    format: 'verkle/kzg-256',
    paramsDigest: '0x28ad28030be5e67ce0019f5d71aa945158717bcbdb8b3c29abf15ef8be535e22',
  },
  variants: ['aggregated', 'plain'],
  parseKey: parseKeyLike,
  inState: slotOf,
  outcomeOf: (item) => (item.status === 'present' ? { ...item } : { ...item, value: undefined }),
})
