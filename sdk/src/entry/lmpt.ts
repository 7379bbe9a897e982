/**
 * Entry for the system `lmpt`: a key's newest write over three layered tries. Needs a client of
 * `lightproof`, which also exports `getValue` and `getValues`.
 *
 * @packageDocumentation
 */

export type { KeyLike } from '../systems/keys.js'
export {
  type LmptFormat,
  type LmptItem,
  type LmptLayer,
  type LmptOutcome,
  type LmptTypes,
  lmpt,
} from '../systems/lmpt.js'
