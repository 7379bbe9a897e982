/**
 * Entry for wallets and dapps: an EIP-1193 provider with proven answers.
 *
 * @packageDocumentation
 */

export { type AnnounceOptions, announceProvider, type ProviderInfo } from '../adapters/announce.js'
export type { ProviderEvents, ProviderListener, ProviderListeners } from '../adapters/events.js'
export type { ExtensionMethod, Poll, ProviderExtension, Source } from '../adapters/extension.js'
export type { Answer, Ask, Method } from '../adapters/methods.js'
export type { Verify, VerifyOption } from '../adapters/policy.js'
export {
  createProvider,
  type Provider,
  type ProviderAnswer,
  type ProviderMethod,
  type ProviderOptions,
} from '../adapters/provider.js'
export {
  ProviderRpcError,
  RPC_CODES,
  type RpcCode,
  type RpcErrorData,
} from '../adapters/rpcError.js'
export type {
  RpcBlock,
  RpcLog,
  RpcProof,
  RpcReceipt,
  RpcRequest,
  RpcResult,
  RpcResults,
  RpcTransaction,
} from '../adapters/schema.js'
export { type Signer, withSigner } from '../adapters/signer.js'
export { isFinal } from '../result/final.js'
export type { RecoverAddress, SignedHash } from '../systems/body/sender.js'
