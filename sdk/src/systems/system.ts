/**
 * What a proof system is to the SDK: a name in the chain configuration, a verifier in one of the wasm modules, and how its
 * questions and facts look. All else (headers, nodes, failover, evidence, files) is the same for every system.
 */

import type { SystemName } from '../chains.js'
import type { ProofRequest, Session } from '../core/nodes.js'
import type { Header } from '../core/verifier.js'
import type { Finding, Outcome, ProvedPart } from '../result.js'
import type { HashModule, ModuleName } from '../wasm/module.js'

/** A question as the core takes it. */
export interface Question {
  /** RLP, as the system defines it. */
  readonly query: Uint8Array
  /**
   * The shards, of 2^bits, that it is about; nodes of others are not asked. Left out: every node proves all of the state.
   *
   * @param setup - format and parameters of the chain.
   */
  readonly shards?: (setup: ShardSetup, bits: number) => readonly number[]
  /** The part that a shard proves; undefined if it proves none. */
  readonly within?: (setup: ShardSetup, shard: Shard) => Question | undefined
  /** Of a part: which of the whole question's keys it asks for, in its order. */
  readonly places?: readonly number[]
  /** The same about an account: proofs are put together of what was kept of others, where all of it is. */
  readonly account?: ProofRequest
  /** Asks a node for the proof. Left out: `lp_getProof`. */
  readonly request?: (session: Session, header: Header) => Promise<Reply>
}

/** Shard `index` of 2^bits. */
export interface Shard {
  readonly bits: number
  readonly index: number
}

/** What decides which shard a key is of. */
export interface ShardSetup {
  readonly config: { readonly format: string }
  readonly params: Uint8Array
}

/** A proof as a node sent it, untrusted. */
export interface Reply {
  readonly variant: string
  readonly proof: Uint8Array
}

/** A question, as soon as the block is known that it is about. */
export type Ask = (header: Header) => Question

/** A caller's parameters, unparsed. */
export type Given = Readonly<Record<string, unknown>>

/** What differs between systems for the compiler alone. */
export interface SystemTypes {
  readonly name: SystemName
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
  readonly name: T['name']
  /** The wasm module that holds the verifier, and the verifier's class in it. */
  readonly module: ModuleName
  readonly verifier: `${string}Verifier`
  /** Proof shapes that are accepted, the preferred one first. */
  readonly variants: readonly [string, ...string[]]
  /** Names of the parameters that make a question. */
  readonly asks: readonly string[]
  /**
   * Parses a question.
   *
   * @param hash - for the checksums of addresses.
   * @throws InputError naming the parameter.
   */
  parse(given: Given, hash: HashModule): Ask
  /** What a fact says, and the parts that the proof covers. */
  read(fact: T['fact'], query: Uint8Array): Reading<T['finding']>
}

/** What a fact says. */
export interface Reading<P extends Finding = Finding> {
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
  /** Those of `asks` that make a question about one value. */
  readonly asksOne: readonly string[]
  /** The value of such a question; undefined if the fact answers another. */
  valueOf(fact: T['fact']): T['outcome'] | undefined
}

/** As {@link ValueTypes}. */
export interface KeyTypes extends ValueTypes {
  /** A key as callers write it. */
  readonly key: unknown
}

/** A system that proves many keys by one proof: for `getValues` too. */
export interface KeySystem<T extends KeyTypes = KeyTypes> extends ValueSystem<T> {
  /**
   * Parses a question about several keys.
   *
   * @returns with the question, where each key stands in it.
   * @throws InputError naming the key.
   */
  parseKeys(
    keys: unknown,
    hash: HashModule,
  ): { readonly ask: Ask; readonly order: readonly number[] }
  /** What the fact says of each key, in the question's order. */
  valuesOf(fact: T['fact']): readonly T['outcome'][]
}

/** The compiler's knowledge of a system. */
export type TypesOf<S extends ProofSystem> = NonNullable<S['types']>
