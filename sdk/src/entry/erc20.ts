/**
 * Entry for balances of ERC-20 tokens, by the slots that hold them. Beside `lightproof`, which makes the client.
 *
 * @packageDocumentation
 */

export {
  type Erc20Parameters,
  type Erc20Result,
  forgetBalanceLayout,
  getErc20Balance,
  type UnverifiedBalance,
} from '../adapters/erc20.js'
export {
  type BalanceLayoutParameters,
  type BalanceLayoutResult,
  findBalanceLayout,
  type Witness,
} from '../adapters/erc20Find.js'
export type { BalanceLayout } from '../adapters/erc20Layout.js'
export type { TokenCode } from '../adapters/erc20Token.js'
