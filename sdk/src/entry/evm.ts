/**
 * Entry for contract calls, executed locally on proven state: `eth_call`, gas, access lists, and
 * tokens by their own code. Needs a client of `lightproof`; works with any Ethereum node.
 *
 * @packageDocumentation
 */

export { call } from '../evm/call.js'
export type { CallFile, CallJson } from '../evm/callFile.js'
export { type CallsParameters, type CallsResult, calls } from '../evm/calls.js'
export { type AccessListOutcome, createAccessList } from '../evm/createAccessList.js'
export {
  type EnsParameters,
  type LookupAddressParameters,
  lookupAddress,
  type PrimaryName,
  type ResolvedName,
  type ResolveNameParameters,
  resolveName,
} from '../evm/ens.js'
export type { Normalize } from '../evm/ensName.js'
export { CallError, type CallErrorCode } from '../evm/error.js'
export { estimateGas } from '../evm/estimateGas.js'
export { evm } from '../evm/extension.js'
export { type CallProofParameters, fetchCallProof } from '../evm/fetchCallProof.js'
export type { Fork } from '../evm/forks.js'
export type { GatewayOptions } from '../evm/gateway.js'
export type {
  AccountOverride,
  BlockOverride,
  SlotsOverride,
  StateOverride,
} from '../evm/overrides.js'
export { recoverAddress } from '../evm/recover.js'
export {
  type Simulation,
  type SimulationsResult,
  simulate,
  simulateCalls,
} from '../evm/simulate.js'
export {
  type Erc20AllowanceParameters,
  type Erc20BalanceParameters,
  type Erc20BalancesParameters,
  type Erc20BalancesResult,
  type Erc721Parameters,
  type Erc1155Parameters,
  getErc20Allowance,
  getErc20Balance,
  getErc20Balances,
  getErc721Balance,
  getErc721Owner,
  getErc1155Balance,
} from '../evm/tokens.js'
export type { TokenTransfer } from '../evm/transfers.js'
export type * from '../evm/types.js'
export {
  type CallFileParameters,
  type CallFileResult,
  verifyCallFile,
} from '../evm/verifyCallFile.js'
