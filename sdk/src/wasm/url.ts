/** Reads wasm over `fetch`. */

import { PlatformError } from '../result/errors.js'
import { compileError } from './module.js'

/**
 * Fetches and compiles. The browser compares the file with the digest before any of it is compiled:
 * whoever serves the file could else replace the verifier. Deno and Bun do not compare: `fromFiles.ts`
 * does, which they load.
 *
 * @param digest - SHA-256 of the file, in base64; any file if it is left out.
 * @throws {@link PlatformError} if the file cannot be fetched or compiled, or is another one.
 */
export async function openUrl(url: URL, digest?: string): Promise<WebAssembly.Module> {
  if (typeof fetch !== 'function') {
    throw new PlatformError('platform.fetch', 'fetch is missing; give setWasm the bytes')
  }
  const response = await fetchWasm(url, digest)
  const type = response.headers.get('content-type') ?? ''
  try {
    // Streaming refuses every other MIME type, even one with parameters, and by then the body is
    // spent.
    const streams = typeof WebAssembly.compileStreaming === 'function'
    if (streams && type.trim().toLowerCase() === 'application/wasm') {
      return await WebAssembly.compileStreaming(response)
    }
    return await WebAssembly.compile(await response.arrayBuffer())
  } catch (cause) {
    throw compileError(cause)
  }
}

/** @throws {@link PlatformError} if the file cannot be fetched, or is another one. */
export async function fetchWasm(url: URL, digest: string | undefined): Promise<Response> {
  let cause: unknown
  let problem =
    "serve this version's file there (with a Content-Security-Policy, allow its origin in connect-src)"
  try {
    const response = await fetch(url, digest ? { integrity: `sha256-${digest}` } : {})
    if (response.ok) return response
    problem = `HTTP status ${response.status}; serve this version's file there`
  } catch (error) {
    cause = error
  }
  const message = `could not fetch ${url.href}: ${problem}, call setWasm, or import lightproof/inline`
  throw new PlatformError('platform.wasm', message, { cause })
}
