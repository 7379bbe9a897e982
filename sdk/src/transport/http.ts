/** One HTTP exchange with a node, bounded in time, bytes and attempts. */

import { concat } from '../encoding/hex.js'
import { isRecord } from '../encoding/input.js'
import type { Fetch } from '../encoding/platform.js'
import { PlatformError, TransportError } from '../result/errors.js'
import { abortable, within } from './abortable.js'
import { type Health, notePause, pauseOf } from './health.js'
import { pause } from './pause.js'
import type { Redactor } from './redact.js'
import { type Reply, type Request, sender } from './send.js'

/** Bounds of every exchange. */
export interface HttpLimits {
  /** Milliseconds for one attempt, body included. */
  readonly timeoutMs: number
  /** Bytes of one body, after decompression. */
  readonly maxBytes: number
  /** Further attempts after a transport error that may pass. */
  readonly retries: number
  /** Calls that one request may hold. */
  readonly batchSize: number
  /** Sends a request. */
  readonly fetch: Fetch | undefined
}

/** Where and how to reach a node. */
export interface Endpoint extends HttpLimits {
  /**
   * Its URL and headers, which may hold secrets: made by a call, they are in no copy, log or JSON
   * of a client.
   */
  readonly reach: () => { readonly url: string; readonly headers: Readonly<Record<string, string>> }
  /** The node's origin: what errors and reports call it. */
  readonly label: string
  readonly redact: Redactor
  /** What was seen of it. */
  readonly health: Health
  /** Are answers of hex asked for? */
  readonly isHex?: boolean
}

const FIRST_DELAY_MS = 100
const MAX_DELAY_MS = 2_000

/** What an exchange sends. */
interface Question {
  readonly url: string
  readonly init: Omit<Request, 'signal'> & { readonly cache?: 'no-store' }
}

/** What came back, whole and within bounds. */
interface Answer {
  readonly status: number
  /** MIME type, in lower case, without parameters. */
  readonly type: string
  readonly version: string | undefined
  readonly bytes: Uint8Array
}

/**
 * Posts JSON and returns the JSON of the reply. Retries network failures and busy servers; a node
 * that was slow once is left, since the next node is quicker to ask than this one again.
 *
 * @throws {@link TransportError}, or the signal's reason.
 */
export function post(
  endpoint: Endpoint,
  body: string,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { url, headers } = endpoint.reach()
  const question = { url, init: { method: 'POST', headers, body } }
  return repeat(endpoint, question, signal, (answer) => parseReply(endpoint, answer))
}

/** A body as it was asked for: bytes, or the JSON of a server that knows no other form. */
export type Body =
  | {
      readonly form: 'bytes'
      readonly bytes: Uint8Array
      /**
       * The header `Eth-Consensus-Version`; undefined where there is none, or where a page may not
       * read it.
       */
      readonly version: string | undefined
    }
  | { readonly form: 'json'; readonly json: unknown }

/**
 * Gets a path below the endpoint's URL; bounds and retries as {@link post}.
 *
 * @throws {@link TransportError}, or the signal's reason.
 */
export function get(
  endpoint: Endpoint,
  path: string,
  accept: string,
  signal: AbortSignal | undefined,
): Promise<Body> {
  const question = getting(endpoint, path, accept)
  return repeat(endpoint, question, signal, (answer) => parseBody(endpoint, answer))
}

/**
 * As {@link get}, for a reply of JSON-RPC.
 *
 * @throws {@link TransportError}, or the signal's reason.
 */
export function getReply(
  endpoint: Endpoint,
  path: string,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const question = getting(endpoint, path, 'application/json')
  return repeat(endpoint, question, signal, (answer) => parseReply(endpoint, answer))
}

function getting(endpoint: Endpoint, path: string, accept: string): Question {
  const at = endpoint.reach()
  const url = new URL(at.url)
  const [name = '', query = ''] = path.split('?')
  url.pathname = url.pathname.replace(/\/+$/, '') + name
  for (const [key, value] of new URLSearchParams(query)) url.searchParams.set(key, value)
  // No content type: with one, a page's plain GET would need the server's leave first.
  const { 'content-type': _, ...headers } = at.headers
  // Not from the browser's own cache: it would keep a lie for as long as who told it likes, and of
  // the newest header it has an older one.
  return {
    url: url.href,
    init: { method: 'GET', headers: { ...headers, accept }, cache: 'no-store' },
  }
}

async function repeat<T>(
  endpoint: Endpoint,
  question: Question,
  signal: AbortSignal | undefined,
  parse: (answer: Answer) => T,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return parse(await exchange(endpoint, question, signal))
    } catch (error) {
      if (attempt >= endpoint.retries || !mayPass(error)) throw error
      if (pauseOf(endpoint.health) > MAX_DELAY_MS) throw error
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
  question: Question,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  signal?.throwIfAborted()
  const { label, timeoutMs, health } = endpoint
  const ms = pauseOf(health)
  if (ms > MAX_DELAY_MS) {
    const problem = `asked for no request for another ${Math.ceil(ms / 1000)} s`
    throw new TransportError('transport.status', label, problem, { status: 429 })
  }
  if (ms > 0) await pause(ms, signal)
  const began = Date.now()
  const late = (): TransportError =>
    new TransportError('transport.timeout', label, `no answer within ${timeoutMs} ms`)
  return within(timeoutMs, signal, late, async (inner) => {
    try {
      // A `fetch` given by the caller may ignore its signal; the timeout holds all the same.
      const answer = await abortable(request(endpoint, question, inner), inner)
      const ms = Date.now() - began
      health.latencyMs = Math.round(((health.latencyMs ?? ms) * 3 + ms) / 4)
      return answer
    } catch (error) {
      signal?.throwIfAborted()
      inner.throwIfAborted()
      if (error instanceof TransportError || error instanceof PlatformError) throw error
      const cause = endpoint.redact.cause(error)
      throw new TransportError('transport.network', label, 'cannot be reached', { cause })
    }
  })
}

async function request(
  endpoint: Endpoint,
  { url, init }: Question,
  signal: AbortSignal,
): Promise<Answer> {
  const send = endpoint.fetch ?? sender()
  if (typeof send !== 'function') {
    throw new PlatformError('platform.fetch', 'fetch is missing; give createClient a fetch')
  }
  endpoint.health.requests++
  endpoint.health.sentBytes += init.body?.length ?? 0
  const response: Reply = await send(url, {
    ...init,
    signal,
    // A redirect would carry the question, and the API key, to whoever the node names.
    redirect: 'manual',
    referrerPolicy: 'no-referrer',
  })
  const { status } = response
  if (status === 429 || status === 503) notePause(endpoint.health, response.headers)
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    throw new TransportError('transport.redirect', endpoint.label, 'answered with a redirect')
  }
  const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? ''
  const bytes = await readBytes(endpoint, response)
  const version = response.headers.get('eth-consensus-version') ?? undefined
  return { status, type: type.trim().toLowerCase(), version, bytes }
}

/** HTTP errors count as such unless the body is a JSON-RPC error all the same. */
function parseReply(endpoint: Endpoint, { status, bytes }: Answer): unknown {
  const ok = status >= 200 && status < 300
  const { label, isHex } = endpoint
  // A value of `eth_getProof` is 40 bytes at the least.
  // Commas and brackets (those of lists and of objects differ by a bit). Millions of empty lists
  // take half a second to parse, where pages draw; of an answer that is hex most bytes are digits.
  // By index: a filter, or an iterator, takes longer than the check of the proof.
  let left = 8192 + bytes.length / 16
  for (let i = 0; isHex && i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    if (byte === 44 || (byte & 0xdf) === 91) left--
  }
  if (left < 0) {
    throw new TransportError('transport.size', label, 'sent more than hex')
  }
  try {
    const json = parseJson(endpoint, bytes)
    if (ok || (isRecord(json) && isRecord(json['error']))) return json
  } catch (error) {
    if (ok) throw error
  }
  throw refused(endpoint, status)
}

function parseBody(endpoint: Endpoint, { status, type, version, bytes }: Answer): Body {
  if (status < 200 || status >= 300) throw refused(endpoint, status)
  if (type === 'application/octet-stream') return { form: 'bytes', bytes, version }
  return { form: 'json', json: parseJson(endpoint, bytes) }
}

function refused({ label }: Endpoint, status: number): TransportError {
  return new TransportError('transport.status', label, `answered HTTP ${status}`, { status })
}

function parseJson({ label, redact }: Endpoint, bytes: Uint8Array): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new TransportError('transport.json', label, 'sent text that is not UTF-8', {
      cause,
    })
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    const cause = redact.cause(error)
    throw new TransportError('transport.json', label, 'sent text that is not JSON', { cause })
  }
}

async function readBytes(endpoint: Endpoint, response: Reply): Promise<Uint8Array> {
  const { label, maxBytes, health } = endpoint
  const tooLarge = (): TransportError =>
    new TransportError('transport.size', label, `sent more than ${maxBytes} bytes`)
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  if (response.body === null) return new Uint8Array(0)
  if (response.body === undefined) {
    const problem = 'fetch returns no body stream'
    throw new PlatformError('platform.fetch', `${problem}; give createClient one that does`)
  }
  const reader = response.body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done || value === undefined) return concat(chunks)
    size += value.length
    health.receivedBytes += value.length
    if (size > maxBytes) throw tooLarge()
    chunks.push(value)
  }
}
