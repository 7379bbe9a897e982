/**
 * Pushes blocks to a node of one's own (`spec/architecture.md`, section 8). It proves nothing: it
 * needs no verifier.
 */

import { fromHex, fromQuantity, type Hex } from '../encoding/hex.js'
import { isRecord, parseOptions, shown } from '../encoding/input.js'
import type { Fetch } from '../encoding/platform.js'
import { printable } from '../encoding/printable.js'
import { InputError } from '../result/errors.js'
import { pause } from '../transport/pause.js'
import { encodeBlock, type PushBlock } from './block.js'
import { PushError } from './error.js'
import { type Signer, signerOf } from './token.js'

/** Bytes of one answer. */
const MAX_ANSWER = 1 << 20
const FIRST_DELAY_MS = 100
const MAX_DELAY_MS = 5_000

/** Options of {@link createPushClient}. */
export interface PushClientOptions {
  /** Where the node takes blocks: the address of `--push`. */
  readonly url: string
  /**
   * The secret of `--jwt`: 32 bytes, or 64 hex digits with or without `0x`. Keep it on a server.
   */
  readonly secret: string | Uint8Array
  /** Further attempts if no answer comes. Default 8, over about 20 seconds. */
  readonly retries?: number
  /**
   * Milliseconds for one attempt. Default 60,000: a full block takes that long on a small machine.
   */
  readonly timeoutMs?: number
  /** Sends requests. Default: the platform's. */
  readonly fetch?: Fetch
}

/** Where and how to push. Made by {@link createPushClient}. */
export interface PushClient {
  readonly url: string
  readonly retries: number
  readonly timeoutMs: number
  /** Makes tokens; the secret itself is in no copy, log or JSON of a client. */
  readonly sign: Signer
  /** Sends requests. */
  readonly fetch: Fetch
}

/** A block that is durable. */
export interface PushedBlock {
  readonly number: bigint
  /** Hash of its Lightproof header. */
  readonly hash: Hex
  /** What its header commits to, by system. */
  readonly commitments: { readonly [system: string]: Hex }
}

/**
 * A client of a node that was started with `--push`.
 *
 * @throws InputError `input.option` or `input.node` for a malformed option.
 */
export function createPushClient(options: PushClientOptions): PushClient {
  const keys = ['url', 'secret', 'retries', 'timeoutMs', 'fetch'] as const
  const {
    url,
    secret,
    retries = 8,
    timeoutMs = 60_000,
    fetch,
  } = parseOptions(options, 'options', keys)
  if (typeof url !== 'string' || !/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new InputError('input.node', 'url', `expected an http or https URL, got ${shown(url)}`)
  }
  if (fetch !== undefined && typeof fetch !== 'function') {
    throw new InputError('input.option', 'fetch', `expected a function, got ${shown(fetch)}`)
  }
  return {
    url,
    retries: count(retries, 'retries', 0),
    timeoutMs: count(timeoutMs, 'timeoutMs', 1),
    sign: signerOf(secret),
    fetch: (fetch as Fetch | undefined) ?? globalThis.fetch.bind(globalThis),
  }
}

function count(value: unknown, argument: string, least: number): number {
  if (Number.isSafeInteger(value) && (value as number) >= least) return value as number
  const wanted = `expected an integer of at least ${least}, got ${shown(value)}`
  throw new InputError('input.option', argument, wanted)
}

/**
 * Pushes a block and returns once it is durable. If no answer comes, the same content is sent
 * again: the node takes it once and answers the same each time.
 *
 * @throws {@link PushError}, InputError for a malformed block, or the reason of an aborted signal.
 */
export async function pushBlock(
  client: PushClient,
  block: PushBlock,
  options: { readonly signal?: AbortSignal } = {},
): Promise<PushedBlock> {
  const params = [encodeBlock(block)]
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'lp_pushBlock', params })
  const { signal } = options
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted()
    try {
      return parseAnswer(await exchange(client, body, signal), params[0]?.number)
    } catch (error) {
      signal?.throwIfAborted()
      const isLost = error instanceof PushError && error.code === 'push.unreachable'
      if (!isLost || attempt >= client.retries) throw error
    }
    await pause(Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt), signal)
  }
}

async function exchange(
  client: PushClient,
  body: string,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  // A token of its own for each attempt: it is good for a minute.
  const authorization = `Bearer ${await client.sign()}`
  const headers = { 'content-type': 'application/json', authorization }
  const timeout = AbortSignal.timeout(client.timeoutMs)
  const until = signal === undefined ? timeout : AbortSignal.any([timeout, signal])
  let status: number
  let text: string
  try {
    const init = { method: 'POST', headers, body, signal: until, redirect: 'error' } as const
    const response = await client.fetch(client.url, init)
    status = response.status
    text = await read(response)
  } catch (cause) {
    if (cause instanceof PushError) throw cause
    throw new PushError('push.unreachable', `no answer from ${client.url}`, { cause })
  }
  if (status === 401)
    throw new PushError('push.token', `the node refused the token: ${printable(text)}`)
  if (status === 408 || status >= 500) {
    throw new PushError('push.unreachable', `${client.url} answered with HTTP status ${status}`)
  }
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    const message = `expected JSON, got HTTP status ${status}: ${printable(text)}`
    throw new PushError('push.response', message, { cause })
  }
}

async function read(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (;;) {
    const part = await reader?.read()
    if (part === undefined || part.done) return text + decoder.decode()
    size += part.value.length
    if (size > MAX_ANSWER) {
      await reader?.cancel()
      throw new PushError('push.response', `expected an answer of at most ${MAX_ANSWER} bytes`)
    }
    text += decoder.decode(part.value, { stream: true })
  }
}

function parseAnswer(answer: unknown, number: Hex | undefined): PushedBlock {
  const { result, error } = isRecord(answer) ? answer : {}
  if (isRecord(error)) throw refusal(error)
  const { hash, commitments } = isRecord(result) ? result : {}
  if (!isRecord(result) || result['number'] !== number || !isHash(hash) || !isRecord(commitments)) {
    throw new PushError('push.response', `expected the hash and commitments of block ${number}`)
  }
  const entries = Object.entries(commitments).filter((entry): entry is [string, Hex] =>
    isHex(entry[1]),
  )
  return { number: BigInt(number ?? 0), hash, commitments: Object.fromEntries(entries) }
}

function refusal(error: Record<string, unknown>): PushError {
  const { message: words } = error
  const message = typeof words === 'string' ? printable(words) : 'no message'
  const data = isRecord(error['data']) ? error['data'] : {}
  const expected = fromQuantity(data['expected'])
  switch (error['code']) {
    case -32_020:
      return new PushError(
        'push.taken',
        message,
        isHash(data['hash']) ? { hash: data['hash'] } : {},
      )
    case -32_021:
      return new PushError('push.gap', message, expected === undefined ? {} : { expected })
    case -32_005:
      return new PushError('push.limit', message)
    case -32_022:
    case -32_602:
      return new PushError('push.refused', message)
    default:
      return new PushError('push.response', `${shown(error['code'])}: ${message}`)
  }
}

function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && fromHex(value) !== undefined
}

function isHash(value: unknown): value is Hex {
  return isHex(value) && value.length === 66
}
