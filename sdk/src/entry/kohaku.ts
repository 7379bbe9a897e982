/**
 * Entry for Kohaku: the interface of `@kohaku-eth/provider` over proofs. Beside `lightproof`, which
 * makes the client.
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
