/**
 * The bridge between a native shell and the client in its webview: JSON messages in, JSON messages
 * out. Each carries `lightproof: 1`; pages, shells and other bridges exchange messages too, and
 * those are none of this one's business.
 */

import { fetchProof } from '../actions/fetchProof.js'
import { getBlock } from '../actions/getBlock.js'
import { getValue } from '../actions/getValue.js'
import { getValues } from '../actions/getValues.js'
import { sync } from '../actions/sync.js'
import { type ProofFileParameters, verifyProofFile } from '../actions/verifyProofFile.js'
import type { Client } from '../client/client.js'
import { isRecord, shown } from '../encoding/input.js'
import { getAccount } from '../ethereum/accounts/getAccount.js'
import { getBalance } from '../ethereum/accounts/getBalance.js'
import { getCode } from '../ethereum/accounts/getCode.js'
import { getNonce } from '../ethereum/accounts/getNonce.js'
import { getStorage } from '../ethereum/accounts/getStorage.js'
import { tell } from '../proving/tell.js'
import { InputError } from '../result/errors.js'
import { errorToJson, type Json, toJson } from '../result/json.js'
import { mpt } from '../systems/mpt.js'
import type { ProofSystem } from '../systems/system.js'

/** The version of the messages; a message without it is not for this bridge. */
const VERSION = 1

/**
 * What the bridge sends back: `result` is the JSON form of the action's result, `error` that of
 * what it threw.
 */
export type BridgeReply = { readonly lightproof: 1; readonly id: string | number } & (
  | { readonly result: Json }
  | { readonly error: Json }
)

/** A message of a window: what is read of a `MessageEvent`. */
export interface BridgeEvent {
  readonly data: unknown
  readonly origin: string
  readonly isTrusted: boolean
  /** A window, for instance. */
  readonly source: object | null
}

/** Who posted a message. */
interface Poster {
  postMessage(message: unknown, options: { readonly targetOrigin: string }): void
}

/** Hears the messages of a window. */
export type BridgeListener = (event: BridgeEvent) => void

/** A channel to the native shell. */
export interface BridgeShell {
  /** Sends a message, as JSON text. */
  postMessage(message: string): void
}

/** Where messages arrive. */
export interface BridgeSource {
  /** Starts to listen. */
  addEventListener(type: 'message', listener: BridgeListener): void
  /** Stops to listen. */
  removeEventListener(type: 'message', listener: BridgeListener): void
}

/** The part of a window that the bridge uses. */
export interface BridgeTarget extends BridgeSource {
  /** React Native. */
  readonly ReactNativeWebView?: BridgeShell
  /** WKWebView: a script message handler named `lightproof`. */
  readonly webkit?: { readonly messageHandlers?: { readonly lightproof?: BridgeShell } }
  /** Android: an object added with addJavascriptInterface or addWebMessageListener. */
  readonly lightproofAndroid?: BridgeShell
  /** React Native on Android delivers its messages here. */
  readonly document?: BridgeSource
}

/** Options of {@link serveBridge}. */
export interface BridgeOptions {
  /**
   * Origins of other windows (a parent page, an opener) that may ask; the shell and the page itself
   * always may.
   */
  readonly origins?: readonly string[]
  /**
   * Systems that `getValue`, `getValues`, `fetchProof` and `verifyProofFile` may name, beside mpt.
   * Default none.
   */
  readonly systems?: readonly ProofSystem[]
  /** Hears the method of every call that is answered. */
  readonly onCall?: (method: string) => void
}

type Method = (
  client: Client,
  params: Record<string, unknown>,
  systems: readonly ProofSystem[],
) => Promise<unknown>

/**
 * Parameters come from JSON unparsed: every action parses its own, and refuses what it does not
 * know.
 */
function action<P>(run: (client: Client, parameters: P) => Promise<unknown>): Method {
  return (client, params) => run(client, params as P)
}

/** In JSON a system is its name. */
function actionOf<P>(run: (client: Client, parameters: P) => Promise<unknown>): Method {
  return (client, params, systems) => {
    const { system: name } = params
    if (typeof name !== 'string') return run(client, params as P)
    const system = systems.find((one) => one.name === name)
    if (system !== undefined) return run(client, { ...params, system } as P)
    const known = systems.map((one) => one.name).join(', ')
    throw new InputError('input.option', 'system', `unknown here: ${shown(name)}; known: ${known}`)
  }
}

/**
 * To take headers without finality is the page's own decision: it changes what every later answer
 * rests on.
 */
function withoutForce(params: Record<string, unknown>): Record<string, unknown> {
  if (!('force' in params)) return params
  throw new InputError(
    'input.option',
    'force',
    'not available over the bridge; call sync in the page',
  )
}

const METHODS: ReadonlyMap<string, Method> = new Map([
  ['getAccount', action(getAccount)],
  ['getBalance', action(getBalance)],
  ['getNonce', action(getNonce)],
  ['getCode', action(getCode)],
  ['getStorage', action(getStorage)],
  ['getBlock', action(getBlock)],
  ['sync', (client, params) => sync(client, withoutForce(params))],
  ['getValue', actionOf(getValue)],
  ['getValues', actionOf(getValues)],
  ['fetchProof', actionOf(fetchProof)],
  [
    'verifyProofFile',
    (client, { file, ...params }, systems) => {
      const { chain, anchor } = client
      const pinned = anchor.kind === 'block' ? { anchor: { block: anchor.hash } } : {}
      // From JSON, as the others: the action parses it.
      const given = { chain, ...pinned, ...params, systems }
      return verifyProofFile(file, given as unknown as ProofFileParameters<ProofSystem>)
    },
  ],
])

/**
 * Answers messages `{ lightproof: 1, id, method, params }` with `{ lightproof: 1, id, result }` or
 * `{ lightproof: 1, id, error }`. Methods are the actions' names, but `sync` takes no `force`;
 * `params` and results are their JSON forms, and `at` or `block` is a number or a block hash.
 * Replies go the way the question came: to the shell (React Native, WKWebView, Android) as a
 * string, or to the asking window.
 *
 * Heard are the page itself, which is where native code calls `window.postMessage`; events that
 * native code dispatches in the page; and windows of `origins`. All other messages are ignored.
 *
 * @param target - the window; the global one if left out.
 * @returns a function that stops the bridge.
 */
export function serveBridge(
  client: Client,
  target: BridgeTarget = globalThis as unknown as BridgeTarget,
  { origins = [], systems = [], onCall }: BridgeOptions = {},
): () => void {
  const known = [mpt, ...systems]
  const listen = (event: BridgeEvent): void => {
    const reply = replier(event, target, origins)
    const message = reply && parseMessage(event.data)
    if (message === undefined) return
    tell(onCall, message.method)
    void answer(client, message, known).then(reply)
  }
  const sources = target.document === undefined ? [target] : [target, target.document]
  for (const source of sources) source.addEventListener('message', listen)
  return () => {
    for (const source of sources) source.removeEventListener('message', listen)
  }
}

interface Message {
  readonly version: unknown
  readonly id: string | number
  readonly method: string
  readonly params: unknown
}

/** Undefined for what is no call to this bridge. */
function parseMessage(data: unknown): Message | undefined {
  let json: unknown = data
  if (typeof data === 'string') {
    try {
      json = JSON.parse(data)
    } catch {
      return undefined
    }
  }
  if (!isRecord(json)) return undefined
  const { lightproof: version, id, method, params = {} } = json
  const isId = typeof id === 'number' || typeof id === 'string'
  if (version === undefined || !isId || typeof method !== 'string') return undefined
  return { version, id, method, params }
}

async function answer(
  client: Client,
  { version, id, method, params }: Message,
  systems: readonly ProofSystem[],
): Promise<BridgeReply> {
  try {
    if (version !== VERSION) {
      throw new InputError(
        'input.option',
        'lightproof',
        `expected ${VERSION}, got ${shown(version)}`,
      )
    }
    const run = METHODS.get(method)
    if (run === undefined) {
      const known = [...METHODS.keys()].join(', ')
      throw new InputError('input.option', 'method', `unknown: ${shown(method)}; known: ${known}`)
    }
    if (!isRecord(params)) throw new InputError('input.option', 'params', 'expected an object')
    return { lightproof: VERSION, id, result: toJson(await run(client, params, systems)) }
  } catch (error) {
    return { lightproof: VERSION, id, error: errorToJson(error) }
  }
}

/**
 * Sends a reply to the sender; undefined for a sender that is not allowed.
 *
 * An event without a source is the shell's only where code in the page dispatched it (`isTrusted`
 * is false). In one that the browser dispatched, the source is gone: a frame of another origin
 * posted it and was removed.
 */
function replier(
  event: BridgeEvent,
  target: BridgeTarget,
  origins: readonly string[],
): ((reply: BridgeReply) => void) | undefined {
  const { origin } = event
  // Sound: whatever sends messages takes them.
  const source = (event.source ?? null) as Poster | null
  const asker: unknown = source
  const isPage = asker === target || (source === null && !event.isTrusted)
  if (!isPage && (source === null || !origins.includes(origin))) return undefined
  const shell =
    target.ReactNativeWebView ??
    target.webkit?.messageHandlers?.lightproof ??
    target.lightproofAndroid
  if (isPage && shell !== undefined) return (reply) => shell.postMessage(JSON.stringify(reply))
  // An opaque origin ("null": file://) cannot be addressed; such a source is this page or was
  // allowed by name.
  const targetOrigin = origin === '' || origin === 'null' ? '*' : origin
  return (reply) => source?.postMessage(reply, { targetOrigin })
}
