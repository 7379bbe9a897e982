/**
 * Entry for balances of ERC-20 tokens, by the slots that hold them. Beside `lightproof`, which makes the client.
 *
 * @packageDocumentation
 */

export {
  type BalanceLayoutParameters,
  type BalanceLayoutResult,
  type Erc20Parameters,
  findBalanceLayout,
  forgetBalanceLayout,
  getErc20Balance,
  type Witness,
} from './adapters/erc20.js'
export type { BalanceLayout } from './adapters/erc20Layout.js'
