/** The verifier core behind typed calls: values in, parsed verdicts out. The module holds no trust between calls. */

import type { Chain } from '../chains.js'
import { encodeConsensus } from '../consensus.js'
import { bytesOf, equalBytes, type Hex, integerBytes, toHex } from '../encoding/hex.js'
import type { Hash } from '../encoding/input.js'
import { encodeRlp, name, type RlpValue } from '../encoding/rlp.js'
import { CORE_CODES, type CoreCode, InputError, PlatformError, ProofError } from '../errors.js'
import type { FactJson } from '../file.js'
import { type HashModule, loadHash, type SystemVerifier } from '../wasm/module.js'

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
export interface ProvenFact<F = FactJson> {
  readonly block: { readonly number: bigint; readonly hash: Hash | null }
  readonly fact: F
}

/** A proof system as the core takes it: its verifier, and what the chain pins. `F`: the JSON of its facts. */
export interface Setup<F> {
  readonly verifier: 'ColeVerifier' | 'MptVerifier'
  readonly format: string
  /** Public parameters; empty if the system has none. */
  readonly params: Uint8Array
  /** Only a type: facts are read as the core writes them. */
  readonly fact?: F
}

/** A header that a trusted hash vouches for. */
export interface Header {
  readonly hash: Hash
  readonly parentHash: Hash
  readonly number: bigint
  readonly timestamp: bigint
  readonly stateRoot: Hash | undefined
  readonly rlp: Uint8Array
}

/**
 * Checks one proof.
 *
 * @throws {@link ProofError} if it is malformed or false; {@link InputError} if the query is malformed;
 * {@link PlatformError}.
 */
export async function verifyClaim(chain: Chain, claim: Claim): Promise<ProvenFact> {
  const { format } = chain.systems.mpt
  const setup: Setup<FactJson> = { verifier: 'MptVerifier', format, params: new Uint8Array(0) }
  return verifyWith(chain, setup, claim)
}

/**
 * Checks one proof of any system.
 *
 * @throws as {@link verifyClaim}.
 */
export async function verifyWith<F>(
  chain: Chain,
  setup: Setup<F>,
  claim: Claim,
): Promise<ProvenFact<F>> {
  const module = await loadHash()
  const { source } = claim
  const root: RlpValue =
    source.kind === 'header'
      ? [name('header'), source.hash, source.rlps]
      : [name('root'), integerBytes(source.number), source.root]
  const claims = encodeRlp([[root, claim.query, name(claim.variant), claim.proof]])
  const text = run(() => verifierOf(module, chain, setup).verify(claims, freshBytes()))
  const [verdict] = JSON.parse(text) as readonly Verdict<F>[]
  if (verdict?.status !== 'proven') throw rejection(verdict)
  const { number, hash } = verdict.block
  return { block: { number: BigInt(number), hash }, fact: verdict.fact }
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
): Promise<Header[]> {
  const module = await loadHash()
  const text = run(() => module.headers(encodeChain(chain), bytesOf(hash), encodeRlp(rlps)))
  const verdict = JSON.parse(text) as HeadersVerdict
  if (verdict.status !== 'trusted') throw rejection(verdict)
  return verdict.headers.map((header, i) => ({
    hash: header.hash,
    parentHash: header.parentHash,
    number: BigInt(header.number),
    timestamp: BigInt(header.timestamp),
    stateRoot: header.commitments.mpt,
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

/** The core's refusal. */
export interface Rejected {
  readonly status: 'rejected'
  readonly code: string
  readonly message: string
  readonly span: readonly [number, number] | null
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
        readonly commitments: { readonly mpt?: Hash }
      }[]
    }
  | Rejected

/** One handle per chain and system: it keeps its parameters prepared. */
const verifiers = new Map<string, SystemVerifier>()
/** Chains come from strangers' files too, and a handle holds wasm memory: the oldest goes. */
const MAX_VERIFIERS = 16

function verifierOf<F>(module: HashModule, chain: Chain, setup: Setup<F>): SystemVerifier {
  const chainRlp = encodeChain(chain)
  const { verifier: kind, format, params } = setup
  const key = [toHex(chainRlp), kind, format, toHex(params)].join(' ')
  const known = verifiers.get(key)
  if (known !== undefined) return known
  // The caller's configuration holds the parameters themselves, so their digest is theirs to state.
  const digest = params.length > 0 ? run(() => module.keccak256(params)) : params
  const config = encodeRlp([name(format), digest])
  const verifier = makeVerifier(() => new module[kind](chainRlp, config, params))
  for (const [oldest, handle] of verifiers) {
    if (verifiers.size < MAX_VERIFIERS) break
    verifiers.delete(oldest)
    handle.free()
  }
  verifiers.set(key, verifier)
  return verifier
}

function makeVerifier(make: () => SystemVerifier): SystemVerifier {
  try {
    return make()
  } catch (cause) {
    if (typeof cause !== 'string') throw cause
    throw rejection(JSON.parse(cause) as Rejected)
  }
}

/** RLP `[kind, chainId, genesisHash]`, and the consensus where headers are signed. */
export function encodeChain({ kind, chainId, genesisHash, consensus }: Chain): Uint8Array {
  const chain = [name(kind), integerBytes(BigInt(chainId)), bytesOf(genesisHash)]
  return encodeRlp(consensus === undefined ? chain : [...chain, encodeConsensus(consensus)])
}

/** The error that a rejection of the core stands for. */
export function rejection(verdict: Rejected | undefined): ProofError | InputError | PlatformError {
  const code = CORE_CODES.find((known) => known === verdict?.code)
  if (verdict === undefined || code === undefined) {
    const problem = `the verifier answered ${verdict?.code ?? 'nothing'}: its wasm is of another version`
    return new PlatformError('platform.wasm', problem)
  }
  const { message, span } = verdict
  if (isInputCode(code)) return new InputError(code, code.replace('input.', ''), message)
  return new ProofError(code, message, { span: span ?? undefined })
}

function isInputCode(code: CoreCode): code is Extract<CoreCode, `input.${string}`> {
  return code.startsWith('input.')
}

/** A trap (say, out of memory) is no verdict. */
export function run<T>(call: () => T): T {
  try {
    return call()
  } catch (cause) {
    if (!(cause instanceof WebAssembly.RuntimeError) && !(cause instanceof RangeError)) throw cause
    throw new PlatformError('platform.wasm', 'the verifier ran out of memory', { cause })
  }
}

function freshBytes(): Uint8Array {
  if (typeof globalThis.crypto?.getRandomValues !== 'function') {
    const problem = 'crypto.getRandomValues is missing here; the verifier needs 32 random bytes'
    throw new PlatformError('platform.random', problem)
  }
  return crypto.getRandomValues(new Uint8Array(32))
}
