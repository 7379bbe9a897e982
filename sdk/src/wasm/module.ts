/** Loads the WebAssembly module `hash` once, when it is first needed. */

import { InputError, PlatformError } from '../errors.js'

/** The compiled verifier: a module, its bytes, or where to fetch them. */
export type WasmSource = WebAssembly.Module | BufferSource | URL | string

/** A verifier of mpt proofs for one chain. */
export interface MptVerifier {
  /** RLP claims and 32 fresh random bytes in, a JSON list of verdicts out. */
  verify(claims: Uint8Array, fresh: Uint8Array): string
  /** Gives its memory back. */
  free(): void
}

/** What the generated module `hash` exports. */
export interface HashModule {
  readonly MptVerifier: new (
    chain: Uint8Array,
    config: Uint8Array,
    params: Uint8Array,
  ) => MptVerifier
  headers(chain: Uint8Array, trustedHash: Uint8Array, rlps: Uint8Array): string
  keccak256(data: Uint8Array): Uint8Array
}

/** How an entry of this package reaches the wasm file. */
export interface WasmPlatform {
  /** The module of this package. */
  hash(): Promise<WebAssembly.Module | BufferSource>
  /** A module that the caller gave by URL. */
  open(url: URL): Promise<WebAssembly.Module | BufferSource>
}

let platform: WasmPlatform | undefined
let given: WasmSource | undefined
let loading: Promise<HashModule> | undefined

/** Called once by each entry. */
export function usePlatform(entry: WasmPlatform): void {
  platform = entry
}

/**
 * Says where the verifier's wasm comes from, for pages and workers that cannot fetch it beside this package's files:
 * a compiled `WebAssembly.Module` (Cloudflare Workers), its bytes, or its URL (`lightproof/hash.wasm`).
 *
 * @throws {@link InputError} if the source is of no such kind, or the module was loaded already.
 */
export function setWasm(source: { readonly hash: WasmSource }): void {
  if (loading !== undefined) {
    throw new InputError('input.wasm', 'hash', 'the module was loaded already; call setWasm first')
  }
  const { hash } = source
  const known =
    typeof hash === 'string' ||
    hash instanceof URL ||
    hash instanceof ArrayBuffer ||
    ArrayBuffer.isView(hash) ||
    (typeof WebAssembly === 'object' && hash instanceof WebAssembly.Module)
  if (!known) {
    throw new InputError('input.wasm', 'hash', 'expected a WebAssembly.Module, bytes or a URL')
  }
  given = hash
}

/**
 * The module, loaded by the first call and shared by all; a failed load is tried again by the next call.
 *
 * @throws {@link PlatformError} if WebAssembly is missing or forbidden, or the file cannot be read.
 */
export function loadHash(): Promise<HashModule> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

async function load(): Promise<HashModule> {
  if (typeof WebAssembly !== 'object') {
    const problem =
      'WebAssembly is missing here; the verifier needs it (lockdown modes switch it off)'
    throw new PlatformError('platform.webassembly', problem)
  }
  const source = await openSource().catch(readError)
  const glue = await import('../generated/hash.js')
  try {
    await glue.default({ module_or_path: source })
  } catch (cause) {
    throw compileError(cause)
  }
  return glue
}

async function openSource(): Promise<WebAssembly.Module | BufferSource> {
  if (typeof given === 'string' || given instanceof URL) {
    return (platform ?? missingPlatform()).open(absolute(given))
  }
  return given ?? (platform ?? missingPlatform()).hash()
}

function readError(cause: unknown): never {
  if (cause instanceof PlatformError || cause instanceof InputError) throw cause
  const why = cause instanceof Error ? cause.message : String(cause)
  throw new PlatformError('platform.wasm', `the verifier's wasm cannot be read: ${why}`, { cause })
}

function missingPlatform(): never {
  const problem = 'no wasm source: import from lightproof or lightproof/inline, or call setWasm'
  throw new PlatformError('platform.wasm', problem)
}

function absolute(url: string | URL): URL {
  const base = typeof location === 'object' ? location.href : undefined
  try {
    return new URL(url, base)
  } catch (cause) {
    throw new InputError('input.wasm', 'hash', `not a URL: ${String(url)}`, { cause })
  }
}

/** Explains why the engine refused to compile: engines name the policy only in the message. */
export function compileError(cause: unknown): PlatformError {
  const message = cause instanceof Error ? cause.message : String(cause)
  if (/content.security.policy|\bCSP\b|unsafe-eval/i.test(message)) {
    const fix = "add 'wasm-unsafe-eval' to its script-src directive"
    const problem = `the page's Content-Security-Policy forbids WebAssembly: ${fix}`
    return new PlatformError('platform.csp', problem, { cause })
  }
  const problem = `the verifier's wasm does not compile (wrong or damaged file?): ${message}`
  return new PlatformError('platform.wasm', problem, { cause })
}
