/**
 * Lightproof: check Ethereum state that an untrusted node served.
 *
 * @packageDocumentation
 */

export {
  agreeOnCheckpoint,
  type CheckpointAgreed,
  type CheckpointAnswers,
  type CheckpointDisagreed,
  type CheckpointParameters,
  type CheckpointVote,
} from './actions/agreeOnCheckpoint.js'
export { fetchProof, type ProofParameters } from './actions/fetchProof.js'
export { getAccount } from './actions/getAccount.js'
export { getBalance } from './actions/getBalance.js'
export type { BlockParameters } from './actions/getBlock.js'
export { getBlock } from './actions/getBlock.js'
export { getCode } from './actions/getCode.js'
export { getNonce } from './actions/getNonce.js'
export { getStorage, type StorageParameters } from './actions/getStorage.js'
export { getValue, type ValueParameters, type ValueResult } from './actions/getValue.js'
export { getValues, type ValuesParameters, type ValuesResult } from './actions/getValues.js'
export type { AccountParameters, BlockAndSignal } from './actions/parameters.js'
export { proven } from './actions/proven.js'
export { type Synced, type SyncParameters, sync } from './actions/sync.js'
export {
  type FileResult,
  type HeaderEvidenceParameters,
  type HeadersHold,
  type ProofFileParameters,
  verifyProofFile,
} from './actions/verifyProofFile.js'
export type { Cache, CacheOptions, Kept } from './cache/cache.js'
export {
  type Chain,
  defineChain,
  devnet,
  hoodi,
  mainnet,
  type SystemConfig,
  type SystemName,
  type Systems,
  sepolia,
} from './chains.js'
export {
  type BlockAnchor,
  type CheckpointAnchor,
  type Client,
  type ClientOptions,
  createClient,
  type NodeOffer,
  type NodeProfile,
} from './client.js'
export type {
  BeaconConsensus,
  BeaconFork,
  Consensus,
  ContainerShape,
  DevnetConsensus,
} from './consensus.js'
export type { BlockLike } from './core/at.js'
export type { Line } from './core/line.js'
export type { ProofRequest, Session } from './core/nodes.js'
export type { Header } from './core/verifier.js'
export type { Hex } from './encoding/hex.js'
export type { Address, Hash, SlotLike } from './encoding/input.js'
export * from './errors.js'
export type {
  Evidence,
  FactJson,
  FileConfig,
  HeaderEvidence,
  HeaderStep,
  ProofFile,
  SourceJson,
} from './file.js'
export { type Json, resultToJson } from './json.js'
export type { Flight } from './light/flight.js'
export type { Applied, LightClient, LightState, SignedHeader } from './light/handle.js'
export type { HeaderProof, Light, LightOptions, SyncEvent, SyncListener } from './light/light.js'
export type { HeaderSource } from './light/source.js'
export type {
  Absent,
  Account,
  BadProof,
  Block,
  Finding,
  Grounded,
  Invalid,
  Outcome,
  Participation,
  Present,
  ProvedPart,
  ProvenAccount,
  ProvenSlot,
  ProvenValues,
  Result,
  Tried,
  Trust,
  Unavailable,
  UnprovedPart,
} from './result.js'
export { memoryStore, type Store } from './store/store.js'
export type { KeyFact, KeyLike, KeySystemTypes } from './systems/keys.js'
export { type AccountQuestion, type MptTypes, mpt } from './systems/mpt.js'
export type {
  Ask,
  Given,
  KeySystem,
  KeyTypes,
  ProofSystem,
  Question,
  Reading,
  Reply,
  Shard,
  ShardSetup,
  SystemTypes,
  TypesOf,
  ValueSystem,
  ValueTypes,
} from './systems/system.js'
export type { BadProofListener, Health } from './transport/health.js'
export type { Endpoint, HttpLimits } from './transport/http.js'
export type { Redactor } from './transport/redact.js'
export type { Node, RpcCall } from './transport/rpc.js'
export { type HashModule, type ModuleName, setWasm, type WasmSource } from './wasm/module.js'
