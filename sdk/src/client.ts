/** The client: plain data about whom to ask and what to trust. Actions are functions that take it. */

import { type Chain, parseChain } from './chains.js'
import type { Header } from './core/verifier.js'
import { type Hash, parseHash, parseInteger, parseOptions, shown } from './encoding/input.js'
import { InputError } from './errors.js'
import type { HttpLimits } from './transport/http.js'
import { redactor, safeDecode } from './transport/redact.js'
import { httpNode, type Node } from './transport/rpc.js'

/** What {@link createClient} takes. */
export interface ClientOptions {
  /** The chain, from your own configuration: `mainnet`, `devnet(genesisHash)`, `defineChain({…})`. */
  readonly chain: Chain
  /** Where trust starts: the hash of a block that you got from a source you trust, never from a node below. */
  readonly anchor: { readonly block: string }
  /** HTTP JSON-RPC URLs of full nodes. They are asked in this order, and none is trusted. */
  readonly nodes: readonly (string | URL)[]
  /** Stands in for `globalThis.fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** Milliseconds that one attempt at one node may take. Default 10,000. */
  readonly timeoutMs?: number
  /** Bytes that one answer may have. Default 4 MiB. */
  readonly maxBytes?: number
  /** Further attempts at a node after a transport error that may pass. Default 2. */
  readonly retries?: number
  /** How many blocks the client walks back from the anchor. Default 8,192. */
  readonly maxWalk?: number
}

/** What a client learnt about a node, so as not to ask twice. Hints, not facts. */
export interface NodeProfile {
  /** Headers that it serves in one answer. */
  readonly headersPerCall: number
  /** Does it take `{ blockHash }` (EIP-1898)? Unknown until tried. */
  takesBlockHash: boolean | undefined
}

/** A client. Make it with {@link createClient}; its fields are for actions. */
export interface Client {
  readonly chain: Chain
  readonly anchor: { readonly kind: 'block'; readonly hash: Hash }
  readonly nodes: readonly Node[]
  readonly maxWalk: number
  /** Verified headers: the pinned block first, then its ancestors without a gap. */
  readonly headers: Header[]
  /** By node name. */
  readonly profiles: Map<string, NodeProfile>
}

const MIB = 1024 * 1024
const OPTIONS = [
  'chain',
  'anchor',
  'nodes',
  'fetch',
  'timeoutMs',
  'maxBytes',
  'retries',
  'maxWalk',
] as const

/**
 * Makes a client. Nothing is asked of the network until the first action.
 *
 * @example
 * const client = createClient({ chain: mainnet, anchor: { block: '0x…' }, nodes: ['https://rpc.example'] })
 *
 * @throws {@link InputError} naming the option that is missing, unknown or malformed.
 */
export function createClient(options: ClientOptions): Client {
  const given = parseOptions(options, 'options', OPTIONS)
  const chain = parseChain(given.chain, 'chain')
  const anchor = parseAnchor(given.anchor)
  const limits = parseLimits(given)
  return {
    chain,
    anchor,
    nodes: parseNodes(given.nodes, limits),
    maxWalk: parseInteger(given.maxWalk, 'maxWalk', { min: 0, max: 1_000_000, fallback: 8192 }),
    headers: [],
    profiles: new Map(),
  }
}

function parseAnchor(value: unknown): Client['anchor'] {
  if (value === undefined) {
    const problem = 'missing: give { block: "0x…" }, a block hash from a source you trust'
    throw new InputError('input.anchor', 'anchor', problem)
  }
  const { block } = parseOptions(value, 'anchor', ['block'])
  return { kind: 'block', hash: parseHash(block, 'anchor.block', 'input.anchor') }
}

function parseLimits(
  given: {
    readonly [key in 'fetch' | 'timeoutMs' | 'maxBytes' | 'retries']?: unknown
  },
): HttpLimits {
  const { fetch } = given
  if (fetch !== undefined && typeof fetch !== 'function') {
    throw new InputError('input.option', 'fetch', `expected a function, got ${shown(fetch)}`)
  }
  const time = { min: 1, max: 600_000, fallback: 10_000 }
  const size = { min: 1, max: 64 * MIB, fallback: 4 * MIB }
  return {
    fetch: fetch as HttpLimits['fetch'],
    timeoutMs: parseInteger(given.timeoutMs, 'timeoutMs', time),
    maxBytes: parseInteger(given.maxBytes, 'maxBytes', size),
    retries: parseInteger(given.retries, 'retries', { min: 0, max: 10, fallback: 2 }),
  }
}

function parseNodes(value: unknown, limits: HttpLimits): Node[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new InputError('input.node', 'nodes', 'expected a list of at least one URL')
  }
  const urls = value.map((url: unknown, i) => parseUrl(url, `nodes[${i}]`))
  return urls.map((url, i) => {
    const twins = urls.slice(0, i).filter((earlier) => earlier.origin === url.origin).length
    const label = twins === 0 ? url.origin : `${url.origin} (${twins + 1})`
    return httpNode({ ...limits, ...reach(url), label, redact: redactor(url) })
  })
}

/** `fetch` refuses URLs with a password, so it travels as a header. */
function reach(url: URL): { url: string; headers: Record<string, string> } {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (url.username === '' && url.password === '') return { url: url.href, headers }
  const pair = `${safeDecode(url.username)}:${safeDecode(url.password)}`
  const binary = Array.from(new TextEncoder().encode(pair), (byte) => String.fromCharCode(byte))
  headers['authorization'] = `Basic ${btoa(binary.join(''))}`
  const plain = new URL(url)
  plain.username = ''
  plain.password = ''
  return { url: plain.href, headers }
}

function parseUrl(value: unknown, argument: string): URL {
  let url: URL | undefined
  try {
    url = new URL(value instanceof URL ? value.href : typeof value === 'string' ? value : '')
  } catch {
    // The engine's message would repeat the URL, which may hold an API key.
  }
  if (url !== undefined && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw new InputError('input.node', argument, 'expected an absolute http: or https: URL')
}
