/**
 * Entry for the system `verkle`: a key in a k-ary Verkle tree, present or absent. Needs a client of
 * `lightproof`, which also exports `getValue` and `getValues`.
 *
 * @packageDocumentation
 */

export type { KeyLike, KeySystemTypes } from '../systems/keys.js'
export {
  type VerkleFormat,
  type VerkleItem,
  type VerkleOutcome,
  type VerkleTypes,
  verkle,
} from '../systems/verkle.js'
