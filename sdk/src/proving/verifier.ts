/**
 * The verifier core behind typed calls: values in, parsed verdicts out. The module holds no trust
 * between calls.
 */

import type { Chain } from '../client/chains.js'
import { encodeChain } from '../encoding/chain.js'
import { bytesOf, equalBytes, type Hex, integerBytes, toHex } from '../encoding/hex.js'
import type { Hash } from '../encoding/input.js'
import { encodeRlp, name, type RlpValue } from '../encoding/rlp.js'
import { PlatformError } from '../result/errors.js'
import type { FileConfig } from '../result/file.js'
import type { ProofSystem, SystemConfig, SystemTypes } from '../systems/system.js'
import { loadHash, type ModuleName } from '../wasm/module.js'
import { type Place, perform } from './engine.js'
import type { Header } from './header.js'
import { type Rejected, rejection } from './rejection.js'

/** What makes a root: headers linked back from a trusted hash, or a root that the caller pins. */
export type Source =
  | { readonly kind: 'header'; readonly hash: Uint8Array; readonly rlps: readonly Uint8Array[] }
  | { readonly kind: 'root'; readonly number: bigint; readonly root: Uint8Array }

/** One proof to check. */
export interface Claim {
  readonly source: Source
  readonly query: Uint8Array
  readonly variant: string
  readonly proof: Uint8Array
}

/** What the core proved. */
export interface ProvenFact<F> {
  readonly block: { readonly number: bigint; readonly hash: Hash | null }
  readonly fact: F
}

/** A proof system on a chain, with what the core needs to know of both. */
export interface Setup<T extends SystemTypes = SystemTypes> {
  readonly chain: Chain
  readonly system: ProofSystem<T>
  /** As the caller configured it. */
  readonly pinned: SystemConfig
  readonly config: FileConfig
  /**
   * Public parameters, which the core compares with the configuration's digest; empty if there are
   * none.
   */
  readonly params: Uint8Array
  /** The same as the core takes it. */
  readonly place: Place
}

/** Modules whose systems only hash: there is nothing to combine at random. */
export const HASHED: ReadonlySet<ModuleName> = new Set(['mpt', 'hash'])

/**
 * Checks one proof.
 *
 * @throws {@link ProofError} if it is malformed or false; {@link InputError} if the query is
 *   malformed, or the core refuses the chain, the configuration or the parameters;
 *   {@link PlatformError}.
 */
export async function verifyClaim<T extends SystemTypes>(
  setup: Setup<T>,
  claim: Claim,
  signal?: AbortSignal,
): Promise<ProvenFact<T['fact']>> {
  const claims = encodeRlp([encodeClaim(claim)])
  const { place, system } = setup
  const fresh = HASHED.has(place.module) ? new Uint8Array(32) : freshBytes()
  const isLarge = claim.proof.length >= (system.partsFrom?.[claim.variant] ?? Infinity)
  const job = { ...place, kind: 'verify', claims, fresh, isLarge } as const
  const [verdict] = await perform<readonly Verdict<T['fact']>[]>(job, signal)
  if (verdict?.status !== 'proven') throw rejection(verdict)
  const { number, hash } = verdict.block
  return { block: { number: BigInt(number), hash }, fact: verdict.fact }
}

/**
 * Makes the system's verifier ready, and so has the core check the chain, the configuration and the
 * parameters.
 *
 * @throws {@link InputError} for what the core refuses; {@link PlatformError}.
 */
export async function prepareVerifier(setup: Setup): Promise<void> {
  await perform({ kind: 'prepare', ...setup.place })
}

/** The verifier of a system on a chain. */
export function placeOf(
  of: Chain,
  system: ProofSystem,
  { format, paramsDigest }: FileConfig,
  params: Uint8Array,
): Place {
  const { module, verifier } = system
  const chain = encodeChain(of)
  const config = encodeRlp([name(format), bytesOf(paramsDigest ?? '0x')])
  const key = [toHex(chain), verifier, toHex(config)].join(' ')
  return { key, module, verifier, chain, config, params }
}

/** A claim as the core takes it. */
export function encodeClaim({ source, query, variant, proof }: Claim): RlpValue {
  const root =
    source.kind === 'header'
      ? [name('header'), source.hash, source.rlps]
      : [name('root'), integerBytes(source.number), source.root]
  return [root, query, name(variant), proof]
}

/**
 * Links headers back: the first hashes to `hash`, each next one to the parent hash of the one
 * before.
 *
 * @throws {@link ProofError} if they do not link; {@link PlatformError}.
 */
export async function linkHeaders(
  chain: Chain,
  hash: Hash,
  rlps: readonly Uint8Array[],
  signal?: AbortSignal,
): Promise<Header[]> {
  const job = { chain: encodeChain(chain), hash: bytesOf(hash), rlps: encodeRlp(rlps) }
  const verdict = await perform<HeadersVerdict>({ kind: 'headers', ...job }, signal)
  if (verdict.status !== 'trusted') throw rejection(verdict)
  return verdict.headers.map((header, i) => ({
    hash: header.hash,
    parentHash: header.parentHash,
    number: BigInt(header.number),
    timestamp: BigInt(header.timestamp),
    origin: header.origin,
    commitments: header.commitments,
    rlp: rlps[i] ?? new Uint8Array(0),
  }))
}

/** Does keccak-256 of the bytes give this hash? */
export async function hashesTo(bytes: Uint8Array, hash: Uint8Array): Promise<boolean> {
  const { keccak256 } = await loadHash()
  return equalBytes(keccak256(bytes), hash)
}

/** keccak-256 of the bytes. */
export async function hashOf(bytes: Uint8Array): Promise<Hash> {
  const { keccak256 } = await loadHash()
  return toHex(keccak256(bytes)) as Hash
}

type Verdict<F> =
  | {
      readonly status: 'proven'
      readonly block: { readonly number: Hex; readonly hash: Hash | null }
      readonly fact: F
    }
  | Rejected

type HeadersVerdict =
  | {
      readonly status: 'trusted'
      readonly headers: readonly {
        readonly hash: Hash
        readonly parentHash: Hash
        readonly number: Hex
        readonly timestamp: Hex
        readonly origin?: Hash
        readonly commitments: { readonly [system: string]: Hex }
      }[]
    }
  | Rejected

/**
 * 32 bytes that no prover could foresee.
 *
 * @throws {@link PlatformError} if there is no random generator.
 */
export function freshBytes(): Uint8Array {
  if (typeof globalThis.crypto?.getRandomValues !== 'function') {
    const problem = 'crypto.getRandomValues is missing'
    throw new PlatformError('platform.random', problem)
  }
  return crypto.getRandomValues(new Uint8Array(32))
}
