/**
 * Lightproof: check Ethereum state that an untrusted node served.
 *
 * @packageDocumentation
 */

export {
  agreeOnCheckpoint,
  type CheckpointParameters,
  type CheckpointSource,
} from '../actions/agreeOnCheckpoint.js'
export { fetchProof, type ProofParameters } from '../actions/fetchProof.js'
export type { BlockParameters } from '../actions/getBlock.js'
export { getBlock } from '../actions/getBlock.js'
export { getValue, type ValueParameters, type ValueResult } from '../actions/getValue.js'
export { getValues, type ValuesParameters, type ValuesResult } from '../actions/getValues.js'
export type { BlockAndSignal } from '../actions/parameters.js'
export { proven } from '../actions/proven.js'
export { type Synced, type SyncParameters, sync } from '../actions/sync.js'
export {
  type FileResult,
  type HeaderEvidenceParameters,
  type HeadersHold,
  type ProofFileParameters,
  verifyProofFile,
} from '../actions/verifyProofFile.js'
export {
  type BeaconChain,
  type Chain,
  type ChainDefinition,
  type ChainKind,
  type DevnetLine,
  defineChain,
  devnet,
  hoodi,
  mainnet,
  sepolia,
} from '../client/chains.js'
export { type Client, createClient } from '../client/client.js'
export type {
  AttestedConsensus,
  BeaconConsensus,
  BeaconFork,
  Consensus,
  ContainerShape,
  DevnetConsensus,
} from '../client/consensus.js'
export type { BlockAnchor, CheckpointAnchor, ClientOptions } from '../client/options.js'
export type { FollowedChain, NodeAnchor } from '../client/types.js'
export type { Hex } from '../encoding/hex.js'
export type { Address, Hash, SlotLike } from '../encoding/input.js'
export type { ByteSource } from '../encoding/platform.js'
export { printable } from '../encoding/printable.js'
export type { AccountParameters } from '../ethereum/accounts/account.js'
export { getAccount } from '../ethereum/accounts/getAccount.js'
export { getBalance } from '../ethereum/accounts/getBalance.js'
export { getCode } from '../ethereum/accounts/getCode.js'
export { getNonce } from '../ethereum/accounts/getNonce.js'
export { getStorage, type StorageParameters } from '../ethereum/accounts/getStorage.js'
export type { HeaderProof, SyncEvent, SyncListener } from '../light/events.js'
export type { SignedHeader } from '../light/handle.js'
export type {
  CheckpointAgreed,
  CheckpointAnswers,
  CheckpointDisagreed,
  CheckpointVote,
} from '../light/votes.js'
export type { BlockLike } from '../proving/at.js'
export type { Header } from '../proving/header.js'
export * from '../result/errors.js'
export type {
  ContradictionFile,
  Evidence,
  FileConfig,
  HeaderEvidence,
  HeaderJson,
  HeaderStep,
  ProofFile,
  SourceJson,
} from '../result/file.js'
export { type Json, resultToJson } from '../result/json.js'
export type {
  Absent,
  BadProof,
  Block,
  Grounded,
  Invalid,
  Participation,
  Present,
  Result,
  Tried,
  Trust,
  Unavailable,
  UnprovedPart,
} from '../result/result.js'
export { memoryStore, type Store } from '../store/store.js'
export type { KeyFact, KeyLike, KeySystemTypes } from '../systems/keys.js'
export {
  type Account,
  type AccountQuestion,
  type FactJson,
  type MptTypes,
  mpt,
  type ProvenAccount,
  type ProvenSlot,
} from '../systems/mpt.js'
export type { System, SystemName, Systems } from '../systems/registry.js'
export type {
  Finding,
  KeySystem,
  KeyTypes,
  Outcome,
  ProofSystem,
  ProvedPart,
  ProvenValues,
  SystemConfig,
  SystemTypes,
  TypesOf,
  ValueSystem,
  ValueTypes,
} from '../systems/system.js'
export type { BadProofListener } from '../transport/health.js'
export { type ModuleName, setWasm, type WasmSource } from '../wasm/module.js'
