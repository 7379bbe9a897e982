/** The methods that a provider answers without trusting a node. */

import { fetchProof } from '../actions/fetchProof.js'
import { getBlock } from '../actions/getBlock.js'
import type { Client } from '../client/client.js'
import { fromHex, integerBytes, toHex, toQuantity } from '../encoding/hex.js'
import { leftPad, shown } from '../encoding/input.js'
import type { AccountParameters } from '../ethereum/accounts/account.js'
import { getBalance } from '../ethereum/accounts/getBalance.js'
import { getCode } from '../ethereum/accounts/getCode.js'
import { getNonce } from '../ethereum/accounts/getNonce.js'
import { getStorage } from '../ethereum/accounts/getStorage.js'
import type { Json } from '../result/json.js'
import type { Result, Trust } from '../result/result.js'
import type { RecoverAddress } from '../systems/body/sender.js'
import { loadHash } from '../wasm/module.js'
import { getBlockJson } from './blockJson.js'
import { blockOf } from './blockTag.js'
import { proofJsonOf } from './proofJson.js'
import { invalidParams, ProviderRpcError, RPC_CODES, toRpcError, unprovable } from './rpcError.js'

/** A request under way. */
export interface Ask {
  readonly client: Client
  readonly params: readonly unknown[]
  readonly signal: AbortSignal
  /** Recovers senders, if the caller can. */
  readonly recoverAddress?: RecoverAddress | undefined
}

/** An answer that rests on no node's word. */
export interface Answer {
  readonly result: Json
  /** What it rests on; undefined where the caller's own configuration or arithmetic is enough. */
  readonly trust: Trust | undefined
}

/** A method, and what its answer rests on, in words. */
export interface Method {
  /** What a node proves where this method is answered with proof. */
  readonly proves: string
  /** The answer; throws a `ProviderRpcError` where none is proven. */
  readonly answer: (ask: Ask) => Promise<Answer>
  /** Is it about this provider itself? Then no node is asked, whatever the policy. */
  readonly isOwn?: boolean
}

/** The value of a proven result; a node's bad proof goes with the error. */
export function settle<V, D>(result: Result<V, D>, toJson: (value: V | D) => Json): Answer {
  if (result.status === 'present' || result.status === 'absent') {
    return { result: toJson(result.value), trust: result.trust }
  }
  throw toRpcError(result.error, result.status === 'invalid' ? result.evidence : [])
}

/** Address and block of `[address, …, block]`; the action itself checks the address. */
function accountAt({ client, params, signal }: Ask, block: unknown): AccountParameters {
  const [address] = params
  if (typeof address !== 'string') throw invalidParams(`expected an address, got ${shown(address)}`)
  const at = blockOf(client, block)
  return { address, signal, ...(at === undefined ? {} : { at }) }
}

/** A method about an account: its question, and its value as JSON. */
function ofAccount<V>(
  proves: string,
  action: (client: Client, parameters: AccountParameters) => Promise<Result<V, V>>,
  toJson: (value: V) => Json,
): Method {
  const answer = async (ask: Ask): Promise<Answer> => {
    const question = accountAt(ask, ask.params[1])
    return settle<V, V>(await action(ask.client, question), toJson)
  }
  return { proves, answer }
}

async function getStorageAt(ask: Ask): Promise<Answer> {
  const slot = ask.params[1]
  if (typeof slot !== 'string') throw invalidParams(`expected a slot in hex, got ${shown(slot)}`)
  const result = await getStorage(ask.client, { ...accountAt(ask, ask.params[2]), slot })
  return settle(result, (value) => toHex(leftPad(integerBytes(value))))
}

async function getProof(ask: Ask): Promise<Answer> {
  const [, slots = [], block] = ask.params
  if (!Array.isArray(slots)) throw invalidParams(`expected a list of slots, got ${shown(slots)}`)
  const question = accountAt(ask, block)
  // The header first: it names the trust that the proof inherits.
  const { at, signal } = question
  const options = { ...(at === undefined ? {} : { block: at }), ...(signal ? { signal } : {}) }
  const header = await getBlock(ask.client, options)
  const { trust } = settle(header, () => null)
  const pinned = header.status === 'present' ? { ...question, at: header.value } : question
  const file = await fetchProof(ask.client, { ...pinned, slots })
  return { result: proofJsonOf(file), trust }
}

async function blockNumber({ client, signal }: Ask): Promise<Answer> {
  const block = blockOf(client, 'latest')
  const result = await getBlock(client, block === undefined ? { signal } : { signal, block })
  return settle(result, ({ number }) => toQuantity(number))
}

async function blockBy(ask: Ask): Promise<Answer> {
  const { client, params, signal } = ask
  const [id, full] = params
  const block = blockOf(client, id)
  const result = await getBlockJson(client, block, signal)
  if (result.status === 'unavailable' && typeof block === 'bigint') {
    const head = await blockNumber(ask)
    // No node's word: the newest trusted block is older. Every other failure stays one.
    if (block > BigInt(`${head.result}`)) return { result: null, trust: head.trust }
  }
  return settle(result, (json) => {
    if (full !== true || json['transactions'] !== undefined) return json
    throw unprovable('the header proves no list of transactions: ask without it (false)')
  })
}

async function sha3({ params: [data] }: Ask): Promise<Answer> {
  const bytes = fromHex(data)
  if (bytes === undefined) throw invalidParams(`expected bytes in hex, got ${shown(data)}`)
  return configured(toHex((await loadHash()).keccak256(bytes)))
}

function configured(result: Json): Answer {
  return { result, trust: undefined }
}

function own(read: (ask: Ask) => Json): Method {
  return { proves: CONFIGURED, answer: async (ask) => configured(read(ask)), isOwn: true }
}

async function requestAccounts(): Promise<Answer> {
  const problem = 'this provider reads the chain; it holds no keys, so there is no account to give'
  throw new ProviderRpcError(RPC_CODES.unauthorized, problem)
}

const CONFIGURED = "the client's own configuration"
/** No version: what a page tells strangers of its parts, they can use. */
const CLIENT_VERSION = 'lightproof'

const BLOCK = 'the header, by its hash; not the lists that it holds the roots of'

/** Every method that is answered without trusting a node. */
export const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['eth_chainId', own(({ client: { chain } }) => toQuantity(BigInt(chain.chainId)))],
  ['net_version', own(({ client: { chain } }) => String(chain.chainId))],
  ['web3_clientVersion', own(() => CLIENT_VERSION)],
  // Of a node of its own: there is none, and where nothing can be proven the answer to a question
  // says so.
  ['eth_syncing', own(() => false)],
  ['net_listening', own(() => true)],
  ['eth_accounts', own(() => [])],
  ['eth_requestAccounts', { proves: CONFIGURED, answer: requestAccounts, isOwn: true }],
  ['web3_sha3', { proves: 'nothing: it is computed here', answer: sha3, isOwn: true }],
  ['eth_blockNumber', { proves: 'the header of the newest trusted block', answer: blockNumber }],
  ['eth_getBlockByNumber', { proves: BLOCK, answer: blockBy }],
  ['eth_getBlockByHash', { proves: BLOCK, answer: blockBy }],
  ['eth_getBalance', ofAccount<bigint>('the account, under the block', getBalance, toQuantity)],
  [
    'eth_getTransactionCount',
    ofAccount<bigint>('the account, under the block', getNonce, toQuantity),
  ],
  ['eth_getCode', ofAccount<string>('the code, by its hash', getCode, (code) => code)],
  ['eth_getStorageAt', { proves: 'the slot, under the block', answer: getStorageAt }],
  ['eth_getProof', { proves: 'the account and its slots', answer: getProof }],
])
