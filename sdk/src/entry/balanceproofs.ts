/**
 * Entry for the system `balanceproofs`: values at positions of one committed vector, proven by one
 * aggregate. Needs a client of `lightproof`, which also exports `getValue` and `getValues`.
 *
 * @packageDocumentation
 */

export {
  type BalanceProofsFormat,
  type BalanceProofsItem,
  type BalanceProofsOutcome,
  type BalanceProofsTypes,
  balanceproofs,
  type Position,
} from '../systems/balanceproofs.js'
