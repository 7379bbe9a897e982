/**
 * What a proof system is to the SDK: one record with everything that the SDK knows of it. Generic
 * code takes the record, and knows no system by name. Systems know neither clients nor chains: what
 * they need of a node they get as a {@link Desk}.
 */

import type { Hex } from '../encoding/hex.js'
import type { Hash } from '../encoding/input.js'
import type { Header } from '../proving/header.js'
import type { Cache } from '../store/cache.js'
import type { RpcCall } from '../transport/call.js'
import type { HashModule, ModuleName } from '../wasm/module.js'
import type { Shard, ShardSetup } from './shard.js'

/** How a chain commits to its state in one proof system. */
export interface SystemConfig<F extends string = string> {
  /** Bytes and hashes. */
  readonly format: F
  /**
   * Digest of the public parameters. Left out, it is keccak-256 of `params`; without either there
   * are none.
   */
  readonly paramsDigest?: Hex
  /** Public parameters; left out, a node is asked for those that hash to the digest. */
  readonly params?: Hex
  /**
   * The secret of the parameters' setup is known, as a test chain's is: whoever knows it can forge
   * proofs.
   */
  readonly insecure?: boolean
}

/** A part of a fact that the proof covers. */
export type ProvedPart =
  | 'header'
  | 'account'
  | 'balance'
  | 'nonce'
  | 'code'
  | 'storage'
  | 'value'
  | 'history'
  | 'transactions'
  | 'receipts'
  | 'withdrawals'
  | 'logs'
  | 'call'

/** What a fact says of an Ethereum account's state, in the block of the proof. */
export interface StateItem {
  readonly address: Hex
  /** 32 bytes; left out: the balance. */
  readonly slot?: Hex
  /** 0 where nothing is. */
  readonly value: bigint
}

/** What must be known to read a fact so. */
export interface StateContext {
  /** The block of the proof. */
  readonly number: bigint
  /** The account at each position of a vector of balances. */
  readonly accounts: readonly Hex[]
}

/**
 * What a proof says, before its grounds: `proven` of several keys, each of which has a status of
 * its own.
 */
export interface Finding {
  readonly status: 'present' | 'absent' | 'deleted' | 'proven'
  readonly value: unknown
}

/**
 * What a proof says of one key. A system that cannot tell deleted keys from those that never were
 * says `absent`.
 */
export type Outcome =
  | { readonly status: 'present'; readonly value: unknown }
  | { readonly status: 'absent' | 'deleted'; readonly value: undefined }

/** Proven of every key that was asked for, in the order of the question. */
export interface ProvenValues<O> {
  readonly status: 'proven'
  readonly value: readonly O[]
}

/** One node in one action, as far as a system needs it to ask in its own way. */
export interface Desk {
  /** The node's name. */
  readonly node: string
  readonly signal: AbortSignal | undefined
  readonly cache: Cache | undefined
  /**
   * One call; its answer is untrusted.
   *
   * @throws RpcError, TransportError, or the signal's reason.
   */
  call(call: RpcCall): Promise<unknown>
  /** What the client learnt about the node. */
  profile(): Promise<{
    /** Does it take `{ blockHash }` (EIP-1898)? Unknown until tried. */
    takesBlockHash: boolean | undefined
  }>
}

/**
 * Proofs that are put together of what the client kept of others. What they come to is verified
 * like any node's.
 */
export interface Keeping {
  /** The proof under a root, if all of it is kept. */
  recall(cache: Cache, root: Hex): Promise<Uint8Array | undefined>
  /** Takes in a proof that held. */
  keep(cache: Cache, proof: Uint8Array): Promise<void>
  /** Forgets everything. */
  forget(cache: Cache): Promise<void>
}

/** A question as the core takes it. */
export interface Question {
  /** RLP, as the system defines it. */
  readonly query: Uint8Array
  /**
   * The shards, of 2^bits, that it is about; nodes of others are not asked. Left out: every node
   * proves all of the state.
   *
   * @param setup - format and parameters of the chain.
   */
  readonly shards?: (setup: ShardSetup, bits: number) => readonly number[]
  /** The part that a shard proves; undefined if it proves none. */
  readonly within?: (setup: ShardSetup, shard: Shard) => Question | undefined
  /** Of a part: which of the whole question's keys it asks for, in its order. */
  readonly places?: readonly number[]
  /** Left out: nothing is kept of its proofs. */
  readonly kept?: Keeping
  /** Asks a node for the proof. Left out: `lp_getProof`. */
  readonly request?: (desk: Desk, header: Header) => Promise<Reply>
}

/** A proof as a node sent it, untrusted. */
export interface Reply {
  readonly variant: string
  readonly proof: Uint8Array
}

/** A question, as soon as the block is known that it is about. */
export interface Ask {
  (header: Header): Question
  /**
   * The calls of its `request` about a block of which only the hash is known, so that they can be
   * made beside the question for the header. Left out: none can be.
   */
  readonly ahead?: (cache: Cache | undefined, hash: Hash) => Promise<readonly RpcCall[]>
}

/** A caller's parameters, unparsed. */
export type Given = Readonly<Record<string, unknown>>

/** What differs between systems for the compiler alone. */
export interface SystemTypes {
  readonly name: string
  /** Bytes and hashes that chains may pin. */
  readonly format: string
  /** What the core proves, as JSON. */
  readonly fact: unknown
  /** Parameters of `fetchProof`, beside `system`, `at` and `signal`. */
  readonly question: object
  /** What a proof file says. */
  readonly finding: Finding
}

/** A proof system. Its objects are plain data: copy one to accept fewer variants. */
export interface ProofSystem<T extends SystemTypes = SystemTypes> {
  /** For the compiler alone: no object has it. */
  readonly types?: T
  /** Its name in headers, chain configurations, calls and files. */
  readonly name: T['name']
  /** @internal The wasm module that holds the verifier, and the verifier's class in it. */
  readonly module: ModuleName
  /** @internal */
  readonly verifier: `${string}Verifier`
  /** @internal Bytes of a proof from which workers share its check, by variant. Left out: never. */
  readonly partsFrom?: Readonly<Record<string, number>>
  /** What chain configurations may name. */
  readonly formats: readonly [T['format'], ...T['format'][]]
  /** What `lightproof-node` commits to unless it is told otherwise. Left out: nothing. */
  readonly devnet?: SystemConfig<T['format']>
  /**
   * What every header of Ethereum commits to unless the chain says otherwise. Left out: nothing.
   */
  readonly ethereum?: SystemConfig<T['format']>
  /** Proof shapes that are accepted, the preferred one first. */
  readonly variants: readonly [string, ...string[]]
  /** @internal Names of the parameters that make a question. */
  readonly asks: readonly string[]
  /**
   * Parses a question.
   *
   * @param hash - for the checksums of addresses.
   * @throws InputError naming the parameter.
   * @internal
   */
  parse(given: Given, hash: HashModule): Ask
  /** @internal What a fact says, and the parts that the proof covers. */
  read(fact: T['fact'], query: Uint8Array): Reading<T['finding']>
  /**
   * What a fact says of accounts of an Ethereum chain that is followed. Left out, or empty: nothing
   * that could be compared.
   *
   * @internal
   */
  inState?(fact: T['fact'], query: Uint8Array, context: StateContext): readonly StateItem[]
  /** @internal Whether `inState` says nothing without the context's `accounts`. */
  readonly needsAccounts?: boolean
}

/** What a fact says. */
interface Reading<P extends Finding = Finding> {
  readonly finding: P
  readonly proved: readonly ProvedPart[]
}

/** As {@link SystemTypes}. */
export interface ValueTypes extends SystemTypes {
  /** Parameters of `getValue`, beside `system`, `at` and `signal`. */
  readonly single: object
  /** What `getValue` finds. */
  readonly outcome: Outcome
}

/** A system that proves one value: for `getValue`. */
export interface ValueSystem<T extends ValueTypes = ValueTypes> extends ProofSystem<T> {
  /** @internal Those of `asks` that make a question about one value. */
  readonly asksOne: readonly string[]
  /**
   * @internal How a command line writes a `key`. Left out: the system has no keys of its own, only
   * an account's slots.
   */
  readonly keyText?: 'hex' | 'integer'
  /** @internal The value of such a question; undefined if the fact answers another. */
  valueOf(fact: T['fact']): T['outcome'] | undefined
}

/** As {@link ValueTypes}. */
export interface KeyTypes extends ValueTypes {
  /** A key as callers write it. */
  readonly key: unknown
}

/** A system that proves many keys by one proof: for `getValues` too. */
export interface KeySystem<T extends KeyTypes = KeyTypes> extends ValueSystem<T> {
  /** @internal */
  readonly keyText: 'hex' | 'integer'
  /**
   * Parses a question about several keys.
   *
   * @returns with the question, where each key stands in it.
   * @throws InputError naming the key.
   * @internal
   */
  parseKeys(
    keys: unknown,
    hash: HashModule,
  ): { readonly ask: Ask; readonly order: readonly number[] }
  /** @internal What the fact says of each key, in the question's order. */
  valuesOf(fact: T['fact']): readonly T['outcome'][]
}

/** The compiler's knowledge of a system. */
export type TypesOf<S extends ProofSystem> = NonNullable<S['types']>
