/** Reads wasm over `fetch`. */

import { PlatformError } from '../result/errors.js'
import { compileError } from './module.js'

/**
 * Fetches and compiles: while it downloads if the server names the MIME type, else from the whole
 * file.
 *
 * @throws {@link PlatformError} if the file cannot be fetched or compiled.
 */
export async function openUrl(url: URL): Promise<WebAssembly.Module> {
  if (typeof fetch !== 'function') {
    throw new PlatformError('platform.fetch', 'fetch is missing; give setWasm the bytes')
  }
  const response = await fetchWasm(url)
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

async function fetchWasm(url: URL): Promise<Response> {
  let problem: string
  try {
    const response = await fetch(url)
    if (response.ok) return response
    problem = `HTTP status ${response.status}`
  } catch (cause) {
    const fix = "if the page has a Content-Security-Policy, add the file's origin to connect-src"
    const message = `could not fetch ${url.href}: ${fix}, or import from lightproof/inline`
    throw new PlatformError('platform.wasm', message, { cause })
  }
  const fix = "serve the package's wasm file there, call setWasm, or import lightproof/inline"
  throw new PlatformError('platform.wasm', `could not fetch ${url.href}: ${problem}; ${fix}`)
}
