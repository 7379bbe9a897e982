/** Loads each WebAssembly module once, when it is first needed. */

import type { ByteSource } from '../encoding/platform.js'
import { DIGESTS } from '../generated/digests.inline.js'
import { InputError, PlatformError } from '../result/errors.js'
import { renew, start, type WasmModule } from './instance.js'
import { loadPart } from './part.js'

/** The compiled verifier: a module, its bytes, or where to fetch them. */
export type WasmSource = WebAssembly.Module | ByteSource | URL | string

/** What a module made, and holds in its memory. */
interface Handle {
  /**
   * 0 once it was freed, or its module replaced: it can do nothing then. The name is
   * wasm-bindgen's.
   */
  readonly __wbg_ptr: number
  /** Gives its memory back. */
  free(): void
}

/** A verifier of one system's proofs for one chain. */
export interface SystemVerifier extends Handle {
  /** RLP claims and 32 fresh random bytes in, a JSON list of verdicts out. */
  verify(claims: Uint8Array, fresh: Uint8Array): string
  /** Over curves: a part of what `verify` settles; empty if `verify` has to do it. */
  part?(claims: Uint8Array, fresh: Uint8Array, number: number, of: number): Uint8Array
}

/** What the generated modules of curves export. */
export interface JoinModule extends WasmModule {
  /** As `verify`, by all parts, an RLP list; empty if `verify` has to do it. */
  join(parts: Uint8Array): string
}

/** Throws a rejection as JSON text. */
export type VerifierClass = new (
  chain: Uint8Array,
  config: Uint8Array,
  params: Uint8Array,
) => SystemVerifier

/** What the generated module `mpt` exports beside its verifier. */
export interface HashModule {
  /** JSON of the headers that link back from the trusted hash, or of the rejection. */
  headers(chain: Uint8Array, trustedHash: Uint8Array, rlps: Uint8Array): string
  /** 32 bytes. */
  keccak256(data: Uint8Array): Uint8Array
}

/** A light client of one chain. Results are JSON; times are Unix seconds. */
export interface LightHandle extends Handle {
  bootstrap(checkpoint: Uint8Array, bytes: Uint8Array): string
  apply(form: string, bytes: Uint8Array, now: bigint): string
  /** After a period without finality: takes the best header that was seen as final. */
  force(now: bigint): string
  state(): string
  /** Empty if there is nothing to keep. */
  export(): Uint8Array
  import(bytes: Uint8Array, anchorRoot: Uint8Array): string
  /** Decompressed keys of the committees. */
  points(): Uint8Array
  /** Takes them back, each checked against its committee. */
  loadPoints(bytes: Uint8Array): string
}

/** What the generated module `light` exports, as far as it is used here. */
export interface LightModule {
  readonly LightClient: new (chain: Uint8Array) => LightHandle
}

/** Who runs precompiled contracts on curves for the module `evm`. */
export interface CurvesHost {
  /** One and the output; zero if it fails; nothing if it is not there. */
  precompile(number: number, input: Uint8Array): Uint8Array
}

/** What the generated module `evm` exports. */
export interface CallsModule {
  /** JSON of the calls' answers, or of the rejection of all. */
  calls(chain: Uint8Array, forks: Uint8Array, request: Uint8Array, curves: CurvesHost): string
  /** Hash, v, r, s in, 32 bytes each; the address that signed in 32 bytes out, or nothing. */
  recover(input: Uint8Array): Uint8Array
}

/**
 * The modules: `mpt`, with the hashing that every client needs; `hash` of lmpt and cole; of the
 * systems over each curve; of signed headers; and `evm`, which runs calls.
 */
export type ModuleName = 'mpt' | 'hash' | 'bn254' | 'bls12_381' | 'light' | 'evm'

/**
 * How an entry of this package reaches its wasm files. What it fetches must have the SHA-256, in
 * base64.
 */
export type WasmPlatform = {
  readonly [name in ModuleName]?: (digest?: string) => Promise<WebAssembly.Module | ByteSource>
} & {
  /** A module that the caller gave by URL. */
  readonly open?: (url: URL, digest?: string) => Promise<WebAssembly.Module | ByteSource>
}

const GLUE: Readonly<Record<ModuleName, () => Promise<object>>> = {
  mpt: () => import('../generated/mpt.js'),
  hash: () => import('../generated/hash.js'),
  bn254: () => import('../generated/bn254.js'),
  bls12_381: () => import('../generated/bls12_381.js'),
  light: () => import('../generated/light.js'),
  evm: () => import('../generated/evm.js'),
}
const NAMES = Object.keys(GLUE) as ModuleName[]

let platform: WasmPlatform = {}
let inside: WasmPlatform = {}
const given: { [name in ModuleName]?: WasmSource } = {}
const compiled: { [name in ModuleName]?: WebAssembly.Module } = {}
const loading: { [name in ModuleName]?: Promise<WasmModule> } = {}

/**
 * Called by the entries that read files. What a page carries inside stays: it may be unable to
 * fetch.
 */
export function usePlatform(entry: WasmPlatform): void {
  platform = { ...platform, ...entry, ...inside }
}

/**
 * Called by the entries that carry modules: these are used wherever else a module could come from.
 */
export function embed(modules: WasmPlatform): void {
  inside = { ...inside, ...modules }
  usePlatform(inside)
}

/** Does the page carry a module inside? Its workers would have to fetch theirs. */
export function isEmbedded(): boolean {
  return Object.keys(inside).length > 0
}

/**
 * Says where the verifier's wasm comes from, for pages and workers that cannot fetch it beside this
 * package's files: a compiled `WebAssembly.Module` (Cloudflare Workers), its bytes, or its URL.
 * `mpt` (`lightproof/mpt.wasm`) is always needed, `light` (`lightproof/light.wasm`) where the
 * anchor is a checkpoint, and for the other systems `hash` (lmpt, cole; `lightproof/hash.wasm`),
 * `bn254` (lvmt; `lightproof/bn254.wasm`) or `bls12_381` (verkle, balanceproofs;
 * `lightproof/bls12_381.wasm`); for calls `evm` (`lightproof/evm.wasm`). What is fetched from a URL
 * must be this version's file.
 *
 * @throws {@link InputError} if a source is of no such kind, or its module was loaded already.
 */
export function setWasm(sources: { readonly [name in ModuleName]?: WasmSource }): void {
  const named = NAMES.filter((name) => sources[name] !== undefined)
  if (named.length === 0) throw new InputError('input.wasm', 'mpt', 'expected a source')
  for (const name of named) {
    if (loading[name] !== undefined) {
      const problem = 'loaded already; call setWasm first'
      throw new InputError('input.wasm', name, problem)
    }
    if (!isSource(sources[name])) {
      throw new InputError('input.wasm', name, 'expected a WebAssembly.Module, bytes or a URL')
    }
  }
  for (const name of named) Object.assign(given, { [name]: sources[name] })
}

/**
 * What was compiled here, or else what {@link setWasm} was given, fit for a worker: so it need not
 * fetch it again.
 */
export function givenWasm(): { readonly [name in ModuleName]?: WasmSource } {
  const isPlace = (source: WasmSource): source is string | URL =>
    typeof source === 'string' || source instanceof URL
  const entries = NAMES.flatMap((name) => {
    const source = compiled[name] ?? given[name]
    if (source === undefined) return []
    return [[name, isPlace(source) ? absolute(name, source).href : source] as const]
  })
  return Object.fromEntries(entries)
}

function isSource(source: unknown): boolean {
  return (
    typeof source === 'string' ||
    source instanceof URL ||
    source instanceof ArrayBuffer ||
    ArrayBuffer.isView(source) ||
    (typeof WebAssembly === 'object' && source instanceof WebAssembly.Module)
  )
}

/**
 * A module, loaded by the first call and shared by all; a failed load is tried again by the next
 * call.
 *
 * @throws {@link PlatformError} if WebAssembly is missing or forbidden, or the file cannot be read.
 */
export function loadModule(name: ModuleName): Promise<WasmModule> {
  loading[name] ??= load(name).catch((error: unknown) => {
    delete loading[name]
    throw error
  })
  return loading[name]
}

/**
 * Header hashing and keccak-256, of module `mpt`; as {@link loadModule}.
 *
 * @throws {@link PlatformError}
 */
export async function loadHash(): Promise<HashModule> {
  const module = await loadModule('mpt')
  const { headers, keccak256 } = module as unknown as HashModule
  return {
    headers: (...args) => run(module, () => headers(...args)),
    keccak256: (data) => run(module, () => keccak256(data)),
  }
}

/**
 * The module that checks committee signatures; as {@link loadModule}.
 *
 * @throws {@link PlatformError}
 */
export async function loadLight(): Promise<WasmModule & LightModule> {
  return (await loadModule('light')) as WasmModule & LightModule
}

/**
 * Calls a module. Whatever it throws but a refusal, which is text, is a trap (say, out of memory):
 * no verdict, and nothing can be relied on in that instance, so another replaces it.
 *
 * @throws {@link PlatformError} `platform.trap`; `platform.wasm` if no other starts; or the
 *   refusal.
 */
export function run<T>(module: WasmModule, call: () => T): T {
  try {
    return call()
  } catch (cause) {
    if (!(cause instanceof Error) || cause instanceof PlatformError) throw cause
    try {
      renew(module)
    } catch (error) {
      throw unusable(`the verifier's wasm cannot start again: ${wordsOf(error)}`, error)
    }
    throw new PlatformError('platform.trap', `the verifier stopped: ${cause.message}`, { cause })
  }
}

/** @param isLast - Is this the second time? Engines compile a module wrongly now and then. */
async function load(name: ModuleName, isLast?: boolean): Promise<WasmModule> {
  if (typeof WebAssembly !== 'object') {
    const problem =
      'WebAssembly is missing (lockdown modes and Hermes lack it): use a hidden webview'
    throw new PlatformError('platform.webassembly', problem)
  }
  const [source, loaded] = await Promise.all([
    openSource(name).catch(readError),
    loadPart(GLUE[name]),
  ])
  // Sound: what sdk/scripts/glue.mjs makes of the generated file.
  const glue = loaded as WasmModule
  try {
    await start(glue, source)
    if (source instanceof WebAssembly.Module) compiled[name] = source
  } catch (cause) {
    if (!isLast) return load(name, true)
    throw compileError(cause)
  }
  return glue
}

async function openSource(name: ModuleName): Promise<WebAssembly.Module | ByteSource> {
  const source = given[name]
  const digest = DIGESTS[name]
  if (typeof source === 'string' || source instanceof URL) {
    return (platform.open ?? missing(name))(absolute(name, source), digest)
  }
  return source ?? (platform[name] ?? missing(name))(digest)
}

function readError(cause: unknown): never {
  if (cause instanceof PlatformError || cause instanceof InputError) throw cause
  throw unusable(`the verifier's wasm cannot be read: ${wordsOf(cause)}`, cause)
}

function unusable(problem: string, cause?: unknown): PlatformError {
  return new PlatformError('platform.wasm', problem, { cause })
}

function missing(name: ModuleName): never {
  const entry = name === 'mpt' ? 'lightproof or lightproof/inline' : `lightproof/inline/${name}`
  throw unusable(`no source of module ${name}: import ${entry}, or call setWasm`)
}

function absolute(name: ModuleName, url: string | URL): URL {
  const base = typeof location === 'object' ? location.href : undefined
  try {
    return new URL(url, base)
  } catch (cause) {
    throw new InputError('input.wasm', name, `not a URL: ${url}`, { cause })
  }
}

/** Explains why the engine refused to compile: engines name the policy only in the message. */
export function compileError(cause: unknown): PlatformError {
  const message = wordsOf(cause)
  if (/content.security.policy|\bCSP\b|unsafe-eval/i.test(message)) {
    const fix = "add 'wasm-unsafe-eval' to its script-src"
    const problem = `the page's Content-Security-Policy forbids WebAssembly: ${fix}`
    return new PlatformError('platform.csp', problem, { cause })
  }
  const engine = globalThis.navigator?.userAgent ?? 'Node.js'
  const reason = message.includes('by embedder')
    ? 'give setWasm modules'
    : `damaged file, or a fault of ${engine}: update it`
  return unusable(`the verifier's wasm does not run (${reason}): ${message}`, cause)
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
