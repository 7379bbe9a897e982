/**
 * Entry for the system `balanceproofs`: values at positions of one committed vector, by one
 * aggregate proof. Beside `lightproof`, which makes the client and has `getValue` and `getValues`.
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
