/** An EIP-1193 provider whose answers are proven. */

import type { Client } from '../client/client.js'
import { PINNED } from '../client/pinned.js'
import { type Hex, toQuantity } from '../encoding/hex.js'
import { isRecord, parseInteger, parseOptions, shown } from '../encoding/input.js'
import { tell } from '../proving/tell.js'
import { InputError } from '../result/errors.js'
import type { Json } from '../result/json.js'
import type { Trust } from '../result/result.js'
import type { RecoverAddress } from '../systems/body/sender.js'
import { loadPart } from '../wasm/part.js'
import { blocks } from './blocks/extension.js'
import { Emitter, type ProviderEvents, type ProviderListener } from './events.js'
import { extend, type ProviderExtension, parseExtensions } from './extension.js'
import { type Ask, METHODS, type Method } from './methods.js'
import { asksForBalances, NATIVE_BALANCES } from './nativeBalances.js'
import { parseCall, passOn } from './pass.js'
import {
  parsePolicy,
  prefers,
  refusalOf,
  refusalOfKeys,
  SEND_RAW,
  type Verify,
  type VerifyOption,
} from './policy.js'
import { invalidParams, PASSED_ON, ProviderRpcError, RPC_CODES, toRpcError } from './rpcError.js'
import type { RpcRequest, RpcResult } from './schema.js'
import { sendRaw } from './sendRaw.js'
import { Subscriptions } from './subscriptions.js'

/** An answer that a provider gave, for who wants to show on what it rests. */
export interface ProviderAnswer {
  readonly method: string
  readonly params: readonly unknown[]
  /** False: it is a node's word, or proven under a block that rests on one (`trustNode`). */
  readonly proven: boolean
  /** On what it rests; undefined for a node's word, and where no node was asked. */
  readonly trust: Trust | undefined
  /** With `prefer`: why it is not proven. */
  readonly reason?: ProviderRpcError
}

/** Options of {@link createProvider}. */
export interface ProviderOptions {
  /** What is asked of answers. Default `require` for all; {@link Verify}. */
  readonly verify?: VerifyOption
  /**
   * Hears of every answer, and whether it is proven. Required where the policy of any method is
   * `prefer`.
   */
  readonly onAnswer?: (answer: ProviderAnswer) => void
  /**
   * Milliseconds between two looks for a new head, where something subscribes to them. Default
   * 4,000.
   */
  readonly pollMs?: number
  /**
   * Recovers the address that signed, for `from` of transactions and receipts: no root binds it.
   * Without it the field is left out. `lightproof/viem` and `lightproof/ethers` use their library's
   * by default.
   */
  readonly recoverAddress?: RecoverAddress
  /** Parts that answer further methods without trusting a node. Default none. */
  readonly extensions?: readonly ProviderExtension[]
}

/** A method of a provider. */
export interface ProviderMethod {
  readonly method: string
  /** What its answer rests on, in words. */
  readonly proves: string
  readonly verify: Verify
}

/** An EIP-1193 provider. */
export interface Provider {
  /**
   * Answers a JSON-RPC request: with what its method returns, if {@link RpcResults} lists it.
   *
   * @throws {@link ProviderRpcError}
   */
  request<const M extends string, R = RpcResult<M>>(request: RpcRequest<M>): Promise<R>
  /** Starts to listen. */
  on<E extends keyof ProviderEvents>(event: E, listener: ProviderListener<E>): void
  /** Stops to listen. */
  removeListener<E extends keyof ProviderEvents>(event: E, listener: ProviderListener<E>): void
  /** The methods that are answered, and what is asked of each. */
  readonly methods: readonly ProviderMethod[]
  /** Aborts what is under way and ends subscriptions; then every request is refused with 4900. */
  close(): void
}

const NAMES = ['verify', 'onAnswer', 'pollMs', 'recoverAddress', 'extensions'] as const

/**
 * Makes a provider of a client, or of several, one per chain; the first is asked until
 * `wallet_switchEthereumChain` names another. Accounts, blocks, transactions, receipts, logs and
 * fees are proven; what no proof answers (calls, estimates of gas) is refused unless `verify`
 * allows it.
 *
 * @example
 * const client = createClient({ chain: mainnet, anchor: { checkpoint }, nodes, beacons })
 * const provider = createProvider(client)
 * await provider.request({ method: 'eth_getBalance', params: [address, 'latest'] })
 *
 * @throws InputError for a malformed option.
 */
export function createProvider(
  client: Client | readonly Client[],
  options: ProviderOptions = {},
): Provider {
  const clients: readonly unknown[] = Array.isArray(client) ? client : [client]
  const given = parseOptions(options, 'options', NAMES)
  const { onAnswer, recoverAddress } = given
  for (const [name, value] of Object.entries({ onAnswer, recoverAddress })) {
    if (value === undefined || typeof value === 'function') continue
    throw new InputError('input.option', name, `expected a function, got ${shown(value)}`)
  }
  const pollMs = parseInteger(given.pollMs, 'pollMs', { min: 100, max: 3_600_000, fallback: 4000 })
  const extensions = [blocks(), ...parseExtensions(given.extensions)]
  const methods = extend(METHODS, extensions)
  const policy = parsePolicy(given.verify, methods)
  if (onAnswer === undefined && prefers(given.verify)) {
    const problem =
      'missing: required with "prefer", which uses unproven answers; onAnswer is told of each'
    throw new InputError('input.option', 'onAnswer', problem)
  }
  const { onAnswer: listener, recoverAddress: recover } = options
  const parts = { methods, policy, extensions, pollMs, onAnswer: listener, recover }
  return new ClientProvider(clients.map(parseClient), parts)
}

function parseClient(value: unknown): Client {
  if (isRecord(value) && Array.isArray(value['nodes'])) return value as unknown as Client
  throw new InputError('input.option', 'client', 'expected a client made by createClient')
}

const CALL = 'eth_call'
const STANDS_STILL = `"latest" stays the pinned block: ${PINNED}`
/** The console is told once, however many providers there are. */
let hasWarnedPage = false

/** An answer, and on what it rests. */
interface Settled extends Omit<ProviderAnswer, 'method' | 'params'> {
  readonly result: unknown
}

/** What a provider is made of. */
interface Parts {
  readonly methods: ReadonlyMap<string, Method>
  readonly policy: (method: string) => Verify
  readonly extensions: readonly ProviderExtension[]
  readonly pollMs: number
  readonly onAnswer: ((answer: ProviderAnswer) => void) | undefined
  readonly recover: RecoverAddress | undefined
}

class ClientProvider implements Provider {
  readonly methods: readonly ProviderMethod[]
  readonly #clients: readonly Client[]
  readonly #known: ReadonlyMap<string, Method>
  readonly #policy: (method: string) => Verify
  readonly #onAnswer: ((answer: ProviderAnswer) => void) | undefined
  readonly #recover: RecoverAddress | undefined
  readonly #events = new Emitter()
  readonly #abort = new AbortController()
  readonly #subscriptions: Subscriptions
  #chosen = 0
  #isConnected = false
  #hasWarned = false

  constructor(clients: readonly Client[], parts: Parts) {
    const { methods, policy, extensions, pollMs, onAnswer } = parts
    this.#clients = clients
    this.#known = methods
    this.#policy = policy
    this.#onAnswer = onAnswer
    this.#recover = parts.recover
    const tell = (data: Json): void =>
      this.#events.emit('message', { type: 'eth_subscription', data })
    this.#subscriptions = new Subscriptions(pollMs, extensions, tell)
    const { proves } = NATIVE_BALANCES
    const sent = 'nothing: the node may drop the transaction; its hash is computed here'
    const listed = new Map([...methods].map(([method, known]) => [method, known.proves]))
    if (!listed.has(CALL)) listed.set(CALL, proves)
    if (!listed.has(SEND_RAW)) listed.set(SEND_RAW, sent)
    this.methods = [...listed].map(([method, proves]) => {
      return { method, proves, verify: policy(method) }
    })
  }

  on<E extends keyof ProviderEvents>(event: E, listener: ProviderListener<E>): void {
    this.#events.on(event, listener)
  }

  removeListener<E extends keyof ProviderEvents>(event: E, listener: ProviderListener<E>): void {
    this.#events.off(event, listener)
  }

  async request<R>(request: RpcRequest): Promise<R> {
    try {
      if (this.#abort.signal.aborted) throw closed()
      const call = parseCall(request)
      const own = this.#own(call.method, call.params)
      const result = own === undefined ? await this.#answer(call.method, call.params) : own.result
      // Sound of what is proven; of the rest the caller believes a node, shape included.
      return result as R
    } catch (cause) {
      const error = this.#abort.signal.aborted ? closed() : toRpcError(cause)
      this.#disconnected(error)
      throw error
    }
  }

  close(): void {
    if (this.#abort.signal.aborted) return
    this.#abort.abort(closed())
    this.#subscriptions.clear()
    this.#disconnected(closed())
  }

  get #client(): Client {
    const client = this.#clients[this.#chosen]
    if (client === undefined) throw new InputError('input.option', 'client', 'expected a client')
    return client
  }

  get #chainId(): Hex {
    return toQuantity(BigInt(this.#client.chain.chainId))
  }

  #ask(params: readonly unknown[]): Ask {
    const { signal } = this.#abort
    return { client: this.#client, params, signal, recoverAddress: this.#recover }
  }

  /** What the provider itself answers. */
  #own(method: string, params: readonly unknown[]): { readonly result: unknown } | undefined {
    switch (method) {
      case 'wallet_switchEthereumChain':
        this.#switch(params)
        return { result: null }
      case 'eth_subscribe':
        return { result: this.#subscriptions.add(this.#ask(params)) }
      case 'eth_unsubscribe':
        return { result: this.#subscriptions.remove(params) }
      default:
        return undefined
    }
  }

  #switch([wanted]: readonly unknown[]): void {
    const { chainId } = isRecord(wanted) ? wanted : {}
    if (typeof chainId !== 'string' || !/^0x[0-9a-fA-F]{1,16}$/.test(chainId)) {
      throw invalidParams(`expected { chainId: "0x…" }, got ${shown(chainId)}`)
    }
    const index = this.#clients.findIndex(({ chain }) => chain.chainId === Number(chainId))
    if (index < 0) {
      const problem = `no client of chain ${chainId} was given to createProvider`
      throw new ProviderRpcError(RPC_CODES.unrecognizedChain, problem)
    }
    if (index === this.#chosen) return
    this.#chosen = index
    // Its heads would be of the chain that was left.
    this.#subscriptions.clear()
    this.#events.emit('chainChanged', this.#chainId)
  }

  async #answer(method: string, params: readonly unknown[]): Promise<unknown> {
    const refused = refusalOfKeys(method)
    if (refused !== undefined) throw refused
    const { result, ...told } = await this.#settle(method, params)
    if (!told.proven || told.trust !== undefined) this.#connected()
    if (told.trust?.finality === 'pinned') this.#warn()
    tell(this.#onAnswer, { method, params, ...told })
    return result
  }

  async #settle(method: string, params: readonly unknown[]): Promise<Settled> {
    const client = this.#client
    const { signal } = this.#abort
    const apart = await this.#apart(method, params)
    if (apart !== undefined) return apart
    const { known, verify } = this.#rule(method, params)
    const word = async (reason?: ProviderRpcError): Promise<Settled> => {
      const pass = method === SEND_RAW ? sendRaw : passOn
      const result = await pass(client, { method, params }, signal)
      return { result, proven: false, trust: undefined, ...(reason && { reason }) }
    }
    if (known === undefined || verify === 'off') {
      if (verify === 'require') throw refusalOf(method)
      return word()
    }
    try {
      const answer = await known.answer(this.#ask(params))
      // Under a block that a node named, it is that node's word.
      return { ...answer, proven: answer.trust?.finality !== 'claimed' }
    } catch (cause) {
      const error = toRpcError(cause)
      if (verify === 'require' || !mayBelieve(error)) throw error
      return word(error)
    }
  }

  /**
   * Native balances among other calls, where a node's word is taken for calls: it is taken for the
   * others alone.
   */
  async #apart(method: string, params: readonly unknown[]): Promise<Settled | undefined> {
    if (method !== CALL || this.#known.has(CALL) || !asksForBalances(params)) return undefined
    const verify = this.#policy(CALL)
    if (verify === 'require' || this.#policy('eth_getBalance') === 'off') return undefined
    const { answerMixed } = await loadPart(() => import('./mixedCalls.js'))
    const result = await answerMixed(this.#ask(params))
    if (result === undefined) return undefined
    const reason = verify === 'prefer' ? { reason: refusalOf(CALL) } : {}
    return { result, proven: false, trust: undefined, ...reason }
  }

  /**
   * How a request is answered. Native balances need no call, so a node's word on calls is not taken
   * for them.
   */
  #rule(method: string, params: readonly unknown[]): { known: Method | undefined; verify: Verify } {
    const verify = this.#policy(method)
    const isOfBalances = method === CALL && asksForBalances(params)
    if (!isOfBalances || this.#policy('eth_getBalance') === 'off') {
      return { known: this.#known.get(method), verify }
    }
    return { known: this.#known.get(CALL) ?? NATIVE_BALANCES, verify: 'require' }
  }

  /** Once: who shows a pinned block as the newest one should know that it stays so. */
  #warn(): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    const data = { code: 'pinned', message: STANDS_STILL }
    this.#events.emit('message', { type: 'lightproof_warning', data })
    if (hasWarnedPage) return
    hasWarnedPage = true
    console.warn(`lightproof: ${STANDS_STILL}`)
  }

  #connected(): void {
    if (this.#isConnected) return
    this.#isConnected = true
    this.#events.emit('connect', { chainId: this.#chainId })
  }

  #disconnected(error: ProviderRpcError): void {
    const { disconnected, chainDisconnected } = RPC_CODES
    const isLoss = error.code === disconnected || error.code === chainDisconnected
    if (!isLoss || !this.#isConnected) return
    this.#isConnected = false
    this.#events.emit('disconnect', error)
  }
}

/** With `prefer`: nobody lied, the question makes sense, and no call was proven to fail. */
function mayBelieve({ code }: ProviderRpcError): boolean {
  const { invalidProof, invalidParams, invalidRequest, internal, platform, unauthorized } =
    RPC_CODES
  const final: readonly number[] = [
    invalidProof,
    invalidParams,
    invalidRequest,
    internal,
    platform,
    unauthorized,
    ...PASSED_ON,
  ]
  return !final.includes(code)
}

function closed(): ProviderRpcError {
  return new ProviderRpcError(RPC_CODES.disconnected, 'the provider was closed')
}
