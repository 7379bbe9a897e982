/**
 * JSON-RPC 2.0 over one endpoint: calls made at once travel as a batch, where the node takes
 * batches.
 */

import { isRecord } from '../encoding/input.js'
import { RpcError, type RpcErrorCode, TransportError } from '../result/errors.js'
import { METHOD_NOT_FOUND, type RpcCall } from './call.js'
import type { Health } from './health.js'
import { type Endpoint, getReply, post } from './http.js'
import { makeQueue, type Outcome } from './queue.js'

/** A node: a name for reports, and calls whose answers are untrusted. */
export interface Node {
  /** Its origin, without path, query and credentials. */
  readonly name: string
  /** What was seen of it. */
  readonly health: Health
  /** Does it say that a cache stands before it, which keeps what is asked for by GET? */
  isCached: boolean
  /**
   * One call.
   *
   * @throws {@link RpcError} | {@link TransportError}, or the signal's reason.
   */
  call(call: RpcCall, signal: AbortSignal | undefined): Promise<unknown>
  /**
   * Many calls at once.
   *
   * @throws {@link RpcError} of the first call that failed | {@link TransportError}, or the
   *   signal's reason.
   */
  batch(calls: readonly RpcCall[], signal: AbortSignal | undefined): Promise<unknown[]>
}

/** Calls under way at a node that refuses batches, or has a cache before it. */
const LANES = 4
/**
 * Questions that name by a hash what they ask about: a cache keeps the answers, which never change.
 * One that names a block by its number gets an answer that is marked as not to be kept.
 */
const KEPT = /^\/(lp_get(Header|Params|Proof)|eth_get(Code|Proof))\?/
/** Some servers take no longer address; a longer question is posted. */
const MAX_PATH = 4_000

/** A node at an HTTP endpoint. */
export function httpNode(endpoint: Endpoint): Node {
  let lastId = 0
  let takesBatches = true
  const number = ({ method, params }: RpcCall): Numbered => ({
    jsonrpc: '2.0',
    id: ++lastId,
    method,
    params,
  })

  const single = async (request: RpcCall, signal: AbortSignal): Promise<Outcome> => {
    const at = capped(endpoint, [request])
    const path = node.isCached ? pathOf(request) : ''
    if (path.length > MAX_PATH || !KEPT.test(path)) {
      const body = number(request)
      const reply = await post(at, JSON.stringify(body), signal)
      return () => outcome(endpoint, request, reply, body.id)
    }
    const reply = await getReply(at, path, signal)
    return () => outcome(endpoint, request, reply, null)
  }

  const singles = async (calls: readonly RpcCall[], signal: AbortSignal): Promise<Outcome[]> => {
    const outcomes: Outcome[] = []
    const left = calls.entries()
    const lane = async (): Promise<void> => {
      for (const [i, call] of left) outcomes[i] = await single(call, signal)
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    return outcomes
  }

  const send = async (calls: readonly RpcCall[], signal: AbortSignal): Promise<Outcome[]> => {
    // A cache keeps the answer to one question.
    if (calls.length === 1 || !takesBatches || node.isCached) return singles(calls, signal)
    const bodies = calls.map(number)
    try {
      const replies = await post(capped(endpoint, calls), JSON.stringify(bodies), signal)
      if (Array.isArray(replies) && replies.length > 1) return match(endpoint, bodies, replies)
      // No list, or one of a single error: the node refuses batches. Its one answer says nothing about the calls.
      takesBatches = false
    } catch (error) {
      const { code, status } = error instanceof TransportError ? error : {}
      // Not what says that the node wants other requests, or fewer.
      const isRefused = status && ![401, 429, 503].includes(status)
      // Too much for one answer, but perhaps not for several.
      if (!isRefused && code !== 'transport.size') throw error
      const outcomes = await singles(calls, signal)
      takesBatches &&= !isRefused
      return outcomes
    }
    return singles(calls, signal)
  }

  const batch = makeQueue(send, endpoint.batchSize)
  const call: Node['call'] = async (request, signal) => {
    if (!request.method.startsWith('eth_send')) return (await batch([request], signal))[0]
    // Once, and alone: after a reply that got lost, or was refused, the transaction may be on its
    // way.
    const body = number(request)
    const reply = await post({ ...endpoint, retries: 0 }, JSON.stringify(body), signal)
    return outcome(endpoint, request, reply, body.id)
  }
  const { label: name, health } = endpoint
  const node: Node = { name, health, isCached: false, call, batch }
  return node
}

/** Junk is parsed where pages draw: no more of it is read than what was asked for can be. */
function capped(endpoint: Endpoint, calls: readonly RpcCall[]): Endpoint {
  // Not a number, unless all of them have a limit of their own.
  const most = calls.reduce((sum, { maxBytes = Number.NaN }) => sum + maxBytes, 0)
  const { maxBytes } = endpoint
  return { ...endpoint, maxBytes: Math.min(maxBytes, most || maxBytes), isHex: most > 0 }
}

/** Where a question is asked by GET. */
function pathOf({ method, params }: RpcCall): string {
  return `/${method}?params=${encodeURIComponent(JSON.stringify(params))}`
}

interface Numbered extends Pick<RpcCall, 'method' | 'params'> {
  readonly jsonrpc: '2.0'
  readonly id: number
}

function match(
  endpoint: Endpoint,
  calls: readonly Numbered[],
  replies: readonly unknown[],
): Outcome[] {
  const byId = new Map<unknown, unknown>()
  for (const reply of replies) {
    if (isRecord(reply)) byId.set(reply['id'], reply)
  }
  if (replies.length !== calls.length || byId.size !== calls.length) {
    throw envelope(endpoint, 'answered a batch with other calls than asked')
  }
  return calls.map((call) => () => outcome(endpoint, call, byId.get(call.id), call.id))
}

function outcome(
  endpoint: Endpoint,
  { method }: Pick<RpcCall, 'method'>,
  reply: unknown,
  id: number | null,
): unknown {
  if (!isRecord(reply)) throw envelope(endpoint, 'sent text that is not JSON-RPC')
  const { error } = reply
  if (isRecord(error)) throw rpcError(endpoint, method, error)
  // An error may come without an id (the node could not read the call); a result never.
  if (reply['id'] !== id) throw envelope(endpoint, 'answered another call than asked')
  if ((error !== undefined && error !== null) || reply['result'] === undefined) {
    throw envelope(endpoint, 'sent neither a result nor an error')
  }
  return reply['result']
}

function envelope(endpoint: Endpoint, problem: string): TransportError {
  return new TransportError('transport.envelope', endpoint.label, problem)
}

function rpcError(endpoint: Endpoint, method: string, error: Record<string, unknown>): RpcError {
  const { code, message, data } = error
  if (typeof code !== 'number' || !Number.isInteger(code)) {
    throw envelope(endpoint, 'sent an error without a code')
  }
  // Patterns are searched for in it, in time that grows with its square.
  const text = typeof message === 'string' ? message.slice(0, 2000) : 'no message'
  return new RpcError(meaning(code, text), {
    node: endpoint.label,
    method,
    rpcCode: code,
    message: endpoint.redact.text(text),
    data: redacted(endpoint, data),
  })
}

/**
 * A node may echo the URL, API key included, in any field. What is too deep to be written is left
 * out.
 */
function redacted(endpoint: Endpoint, data: unknown): unknown {
  try {
    const json: unknown = JSON.parse(endpoint.redact.text(JSON.stringify(data ?? null)))
    return json ?? undefined
  } catch {
    return undefined
  }
}

const MEANINGS: Readonly<Record<number, RpcErrorCode>> = {
  [METHOD_NOT_FOUND]: 'rpc.method',
  [-32004]: 'rpc.method',
  [-32602]: 'rpc.params',
  [-32005]: 'rpc.limit',
  [-32011]: 'rpc.block',
  [-32012]: 'rpc.window',
  [-32013]: 'rpc.shard',
  [-32014]: 'rpc.system',
  [-32015]: 'rpc.variant',
}

/**
 * Plain nodes say it in words, under -32000 and its like (geth, reth, Erigon, Nethermind,
 * providers).
 */
const WORDS: readonly [RegExp, RpcErrorCode][] = [
  [
    /missing trie node|proof window|prun|historical state|state .*not (available|found)/i,
    'rpc.window',
  ],
  [/(header|block).*not found|unknown block|not canonical/i, 'rpc.block'],
  [/method .*(not|n't)|not supported|unsupported/i, 'rpc.method'],
  [/rate limit|too many|quota|limit exceeded/i, 'rpc.limit'],
]

function meaning(code: number, message: string): RpcErrorCode {
  const words = WORDS.find(([pattern]) => pattern.test(message))
  return MEANINGS[code] ?? words?.[1] ?? 'rpc.server'
}
