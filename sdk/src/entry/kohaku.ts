/**
 * Entry for Kohaku: the interface of `@kohaku-eth/provider` with proven answers. Needs a client of
 * `lightproof`.
 *
 * @packageDocumentation
 */

export {
  type KohakuCall,
  type KohakuFilter,
  type KohakuLog,
  type KohakuOptions,
  type KohakuProvider,
  type KohakuReceipt,
  kohaku,
} from '../adapters/kohaku.js'
