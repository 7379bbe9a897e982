/** The verifier core behind typed calls: values in, parsed verdicts out. The module holds no trust between calls. */

import type { Chain } from '../chains.js'
import { encodeConsensus } from '../consensus.js'
import { bytesOf, equalBytes, type Hex, integerBytes, toHex } from '../encoding/hex.js'
import type { Hash } from '../encoding/input.js'
import { encodeRlp, name, type RlpValue } from '../encoding/rlp.js'
import { PlatformError } from '../errors.js'
import type { FileConfig } from '../file.js'
import type { ProofSystem, SystemTypes } from '../systems/system.js'
import { loadHash } from '../wasm/module.js'
import { type Place, perform } from './engine.js'
import { type Rejected, rejection, run } from './rejection.js'

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
  readonly system: ProofSystem<T>
  /** RLP. */
  readonly chain: Uint8Array
  readonly config: FileConfig
  /** Public parameters, which the core compares with the configuration's digest; empty if there are none. */
  readonly params: Uint8Array
}

/** A header that a trusted hash vouches for. */
export interface Header {
  readonly hash: Hash
  readonly parentHash: Hash
  readonly number: bigint
  readonly timestamp: bigint
  /** By proof system. */
  readonly commitments: { readonly [system: string]: Hex }
  readonly rlp: Uint8Array
  /** The node that served it, where one did. */
  readonly servedBy?: string
}

/**
 * Checks one proof.
 *
 * @throws {@link ProofError} if it is malformed or false; {@link InputError} if the query is malformed, or the core refuses the
 * chain, the configuration or the parameters; {@link PlatformError}.
 */
export async function verifyClaim<T extends SystemTypes>(
  setup: Setup<T>,
  claim: Claim,
  signal?: AbortSignal,
): Promise<ProvenFact<T['fact']>> {
  const claims = encodeRlp([encodeClaim(claim)])
  const place = placeOf(setup)
  // Only equations over curves are combined at random.
  const fresh = place.module === 'hash' ? new Uint8Array(32) : freshBytes()
  const job = { kind: 'verify', ...place, claims, fresh } as const
  const [verdict] = JSON.parse(await perform(job, signal)) as readonly Verdict<T['fact']>[]
  if (verdict?.status !== 'proven') throw rejection(verdict)
  const { number, hash } = verdict.block
  return { block: { number: BigInt(number), hash }, fact: verdict.fact }
}

/**
 * Makes the system's verifier ready, and so has the core check the chain, the configuration and the parameters.
 *
 * @throws {@link InputError} for what the core refuses; {@link PlatformError}.
 */
export async function prepareVerifier(setup: Setup): Promise<void> {
  await perform({ kind: 'prepare', ...placeOf(setup) })
}

function placeOf({ system, chain, config: { format, paramsDigest }, params }: Setup): Place {
  const config = encodeRlp([name(format), bytesOf(paramsDigest ?? '0x')])
  return { module: system.module, verifier: system.verifier, chain, config, params }
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
 * Links headers back: the first hashes to `hash`, each next one to the parent hash of the one before.
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
  const text = await perform({ kind: 'headers', ...job }, signal)
  const verdict = JSON.parse(text) as HeadersVerdict
  if (verdict.status !== 'trusted') throw rejection(verdict)
  return verdict.headers.map((header, i) => ({
    hash: header.hash,
    parentHash: header.parentHash,
    number: BigInt(header.number),
    timestamp: BigInt(header.timestamp),
    commitments: header.commitments,
    rlp: rlps[i] ?? new Uint8Array(0),
  }))
}

/** Does keccak-256 of the bytes give this hash? */
export async function hashesTo(bytes: Uint8Array, hash: Uint8Array): Promise<boolean> {
  const module = await loadHash()
  return equalBytes(
    run(() => module.keccak256(bytes)),
    hash,
  )
}

/** keccak-256 of the bytes. */
export async function hashOf(bytes: Uint8Array): Promise<Hash> {
  const module = await loadHash()
  return toHex(run(() => module.keccak256(bytes))) as Hash
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
        readonly commitments: { readonly [system: string]: Hex }
      }[]
    }
  | Rejected

/** RLP `[kind, chainId, genesisHash]`, and the consensus where headers are signed. */
export function encodeChain({ kind, chainId, genesisHash, consensus }: Chain): Uint8Array {
  const chain = [name(kind), integerBytes(BigInt(chainId)), bytesOf(genesisHash)]
  return encodeRlp(consensus === undefined ? chain : [...chain, encodeConsensus(consensus)])
}

/**
 * 32 bytes that no prover could foresee.
 *
 * @throws {@link PlatformError} if there is no random generator.
 */
export function freshBytes(): Uint8Array {
  if (typeof globalThis.crypto?.getRandomValues !== 'function') {
    const problem = 'crypto.getRandomValues is missing here'
    throw new PlatformError('platform.random', problem)
  }
  return crypto.getRandomValues(new Uint8Array(32))
}
