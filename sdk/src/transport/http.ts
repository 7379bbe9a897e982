/** One HTTP exchange with a node, bounded in time, bytes and attempts. */

import { isRecord } from '../encoding/input.js'
import { PlatformError, TransportError } from '../errors.js'
import type { Redactor } from './redact.js'

/** Bounds of every exchange. */
export interface HttpLimits {
  /** Milliseconds for one attempt, body included. */
  readonly timeoutMs: number
  /** Bytes of one body, after decompression. */
  readonly maxBytes: number
  /** Further attempts after a transport error that may pass. */
  readonly retries: number
  readonly fetch: typeof globalThis.fetch | undefined
}

/** Where and how to reach a node. */
export interface Endpoint extends HttpLimits {
  readonly url: string
  /** The node's origin: what errors and reports call it. */
  readonly label: string
  readonly headers: Readonly<Record<string, string>>
  readonly redact: Redactor
}

const FIRST_DELAY_MS = 100
const MAX_DELAY_MS = 2_000

/**
 * Posts JSON and returns the JSON of the reply. Retries network failures and busy servers; a node that was slow once is
 * left, since the next node is quicker to ask than this one again.
 *
 * @throws {@link TransportError}, or the signal's reason.
 */
export async function post(
  endpoint: Endpoint,
  body: string,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await exchange(endpoint, body, signal)
    } catch (error) {
      if (attempt >= endpoint.retries || !mayPass(error)) throw error
    }
    const ceiling = Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS)
    await pause(ceiling * (0.5 + Math.random() / 2), signal)
  }
}

function mayPass(error: unknown): boolean {
  if (!(error instanceof TransportError)) return false
  if (error.code === 'transport.network') return true
  const { status = 0 } = error
  return error.code === 'transport.status' && (status === 429 || status >= 500)
}

async function exchange(
  endpoint: Endpoint,
  body: string,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  signal?.throwIfAborted()
  const { label, timeoutMs } = endpoint
  const abort = new AbortController()
  const onAbort = (): void => abort.abort(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  const late = new TransportError('transport.timeout', label, `no answer within ${timeoutMs} ms`)
  const timer = setTimeout(() => abort.abort(late), timeoutMs)
  try {
    return await race(request(endpoint, body, abort.signal), abort.signal)
  } catch (error) {
    signal?.throwIfAborted()
    if (abort.signal.aborted) throw late
    if (error instanceof TransportError || error instanceof PlatformError) throw error
    const cause = endpoint.redact.cause(error)
    throw new TransportError('transport.network', label, 'cannot be reached', { cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    // Ends a body that nobody reads any more.
    abort.abort()
  }
}

/** A `fetch` given by the caller may ignore its signal; the timeout holds all the same. */
function race<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

async function request(endpoint: Endpoint, body: string, signal: AbortSignal): Promise<unknown> {
  const send = endpoint.fetch ?? globalThis.fetch
  if (typeof send !== 'function') {
    throw new PlatformError('platform.fetch', 'fetch is missing here; give createClient a fetch')
  }
  const response = await send(endpoint.url, {
    method: 'POST',
    headers: endpoint.headers,
    body,
    signal,
    // A redirect would carry the question, and the API key, to whoever the node names.
    redirect: 'manual',
    referrerPolicy: 'no-referrer',
  })
  const { status } = response
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    throw new TransportError('transport.redirect', endpoint.label, 'answered with a redirect')
  }
  return parse(endpoint, status, await readText(endpoint, response))
}

/** HTTP errors count as such unless the body is a JSON-RPC error all the same. */
function parse({ label, redact }: Endpoint, status: number, text: string): unknown {
  const ok = status >= 200 && status < 300
  try {
    const json: unknown = JSON.parse(text)
    if (ok || (isRecord(json) && isRecord(json['error']))) return json
  } catch (error) {
    if (ok) {
      const cause = redact.cause(error)
      throw new TransportError('transport.json', label, 'sent no JSON', { cause })
    }
  }
  throw new TransportError('transport.status', label, `answered HTTP ${status}`, { status })
}

async function readText(endpoint: Endpoint, response: Response): Promise<string> {
  const bytes = await readBytes(endpoint, response)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new TransportError('transport.json', endpoint.label, 'sent text that is no UTF-8', {
      cause,
    })
  }
}

async function readBytes(endpoint: Endpoint, response: Response): Promise<Uint8Array> {
  const { label, maxBytes } = endpoint
  const tooLarge = (): TransportError =>
    new TransportError('transport.size', label, `sent more than ${maxBytes} bytes`)
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  if (response.body === null) return new Uint8Array(0)
  if (response.body === undefined) {
    const problem = 'this fetch cannot stream bodies, so their size cannot be bounded'
    throw new PlatformError('platform.fetch', `${problem}; give createClient one that can`)
  }
  const reader = response.body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return concat(chunks, size)
    size += value.length
    if (size > maxBytes) throw tooLarge()
    chunks.push(value)
  }
}

function concat(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** Waits, or throws the signal's reason. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms)
    function done(): void {
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    function stop(): void {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
}
