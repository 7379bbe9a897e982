/**
 * Entry for the system `lvmt`: a key's latest value over vector commitments. Needs a client of
 * `lightproof`, which also exports `getValue` and `getValues`.
 *
 * @packageDocumentation
 */

export type { KeyLike } from '../systems/keys.js'
export {
  type LvmtFormat,
  type LvmtItem,
  type LvmtOutcome,
  type LvmtTypes,
  lvmt,
} from '../systems/lvmt.js'
