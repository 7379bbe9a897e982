/** What a hostile node may do, one lie at a time. */

import { isRecord } from '../encoding/input.js'
import type { Json } from '../result/json.js'

/** A call that passes the proxy. */
export interface PassingCall {
  readonly method: string
  readonly params: readonly unknown[]
}

/** How a body is sent; `text` if nothing is said. */
export type Delivery =
  | 'drip'
  | 'flood'
  | 'cut'
  | 'drop'
  | 'redirect'
  | 'error-500'
  | 'garbage'
  | 'deep'

/** A lie. */
export interface Lie {
  readonly name: string
  /** One sentence. */
  readonly about: string
  /** Asks the honest node something else than the client asked. */
  readonly ask?: (call: PassingCall) => PassingCall
  /** Changes a result; the same value if the lie is not about this call. */
  readonly tell?: (call: PassingCall, result: unknown) => unknown
  /** Sends the bytes as no node should. */
  readonly deliver?: Delivery
}

const ETHER_1000 = 10n ** 21n

/** Adds to a quantity or a 32-byte word, at its own width. */
function raised(value: unknown, by = 1n): unknown {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value)) return value
  const sum = BigInt.asUintN(256, BigInt(value) + by).toString(16)
  return value.length === 66 ? `0x${sum.padStart(64, '0')}` : `0x${sum}`
}

/** Flips the last digit of hex. */
function flipped(value: unknown): unknown {
  if (typeof value !== 'string' || !/^0x[0-9a-f]+$/i.test(value)) return value
  const digit = Number.parseInt(value.slice(-1), 16) ^ 1
  return value.slice(0, -1) + digit.toString(16)
}

/** Changes the field of an object. */
function field(result: unknown, name: string, change: (value: unknown) => unknown): unknown {
  if (!isRecord(result) || !(name in result)) return result
  return { ...result, [name]: change(result[name]) }
}

const list =
  (change: (items: readonly unknown[]) => unknown) =>
  (value: unknown): unknown =>
    Array.isArray(value) && value.length > 0 ? change(value) : value

/** A lie about the results of some methods. */
function about(
  name: string,
  sentence: string,
  changes: Readonly<Record<string, (result: unknown, call: PassingCall) => unknown>>,
): Lie {
  const tell = (call: PassingCall, result: unknown): unknown =>
    Object.hasOwn(changes, call.method) ? changes[call.method]?.(result, call) : result
  return { name, about: sentence, tell }
}

const inProof =
  (name: string, change: (value: unknown) => unknown) =>
  (result: unknown): unknown =>
    field(result, name, change)

const slots =
  (change: (slot: unknown) => unknown) =>
  (result: unknown): unknown =>
    field(
      result,
      'storageProof',
      list((items) => items.map(change)),
    )

const NOTHING: Readonly<Record<string, Json>> = { balance: '0x0', nonce: '0x0' }

/** Blocks by hash and by number alike. */
function blocks(
  change: (result: unknown) => unknown,
): Record<string, (result: unknown) => unknown> {
  return { eth_getBlockByNumber: change, eth_getBlockByHash: change }
}

const CLAIMS: readonly Lie[] = [
  about('balance', 'Claims 1,000 ether more than the account has.', {
    eth_getBalance: (result) => raised(result, ETHER_1000),
    eth_getProof: inProof('balance', (balance) => raised(balance, ETHER_1000)),
  }),
  about('nonce', 'Claims a nonce one too high: the wallet’s next transaction would be stuck.', {
    eth_getTransactionCount: (result) => raised(result),
    eth_getProof: inProof('nonce', raised),
  }),
  about('code', 'Sends other code than the contract has.', { eth_getCode: flipped }),
  about('no-code', 'Denies that the contract has code.', {
    eth_getCode: (result) => (result === '0x' ? '0x00' : '0x'),
  }),
  about('storage', 'Claims another value of every slot.', {
    eth_getStorageAt: (result) => raised(result),
    eth_getProof: slots((slot) => field(slot, 'value', raised)),
  }),
  about('absent', 'Denies the account, and sends no proof.', {
    eth_getBalance: () => '0x0',
    eth_getTransactionCount: () => '0x0',
    eth_getProof: (result) =>
      isRecord(result) ? { ...result, ...NOTHING, accountProof: [] } : result,
  }),
  about('call', 'Changes what a contract answers.', {
    eth_call: (result) => raised(flipped(result)),
  }),
  about('logs', 'Leaves the last log out.', { eth_getLogs: list((logs) => logs.slice(0, -1)) }),
  about('receipt', 'Says that a failed transaction succeeded, and the other way round.', {
    eth_getTransactionReceipt: (result) => field(result, 'status', flipped),
  }),
  about('gas', 'Asks for a thousand times the fee.', {
    eth_gasPrice: (result) => raised(result, 10n ** 12n),
    eth_maxPriorityFeePerGas: (result) => raised(result, 10n ** 12n),
  }),
  about('sent', 'Names another hash for a transaction that was sent.', {
    eth_sendRawTransaction: flipped,
  }),
]

/** The block parameter of each method that reads state. */
const STATE: Readonly<Record<string, number>> = {
  eth_getBalance: 1,
  eth_getTransactionCount: 1,
  eth_getCode: 1,
  eth_call: 1,
  eth_getStorageAt: 2,
  eth_getProof: 2,
}

function atGenesis({ method, params }: PassingCall): PassingCall {
  const index = Object.hasOwn(STATE, method) ? STATE[method] : undefined
  if (index === undefined) return { method, params }
  return { method, params: [...params.slice(0, index), '0x0'] }
}

const ZERO = `0x${'0'.repeat(40)}`

function ofNobody({ method, params }: PassingCall): PassingCall {
  if (!Object.hasOwn(STATE, method) || method === 'eth_call') return { method, params }
  return { method, params: [ZERO, ...params.slice(1)] }
}

const PROOFS: readonly Lie[] = [
  { name: 'stale', about: 'Answers about state with that of the genesis block.', ask: atGenesis },
  {
    name: 'other-account',
    about: 'Answers about another account, under the address that was asked for.',
    ask: ofNobody,
    tell: ({ method, params }, result) =>
      method === 'eth_getProof' ? field(result, 'address', () => params[0]) : result,
  },
  about('proof-node', 'Changes the last node of the proof.', {
    eth_getProof: inProof(
      'accountProof',
      list((nodes) => [...nodes.slice(0, -1), flipped(nodes.at(-1))]),
    ),
  }),
  about('proof-short', 'Leaves the last node of the proof out.', {
    eth_getProof: inProof(
      'accountProof',
      list((nodes) => nodes.slice(0, -1)),
    ),
  }),
  about('proof-long', 'Sends the root node 20,000 times.', {
    eth_getProof: inProof(
      'accountProof',
      list(([root]) => Array.from({ length: 20_000 }, () => root)),
    ),
  }),
  about('slot-short', 'Leaves the last node of every slot out.', {
    eth_getProof: slots((slot) =>
      field(
        slot,
        'proof',
        list((nodes) => nodes.slice(0, -1)),
      ),
    ),
  }),
  about('slot-missing', 'Leaves the last slot out.', {
    eth_getProof: inProof(
      'storageProof',
      list((items) => items.slice(0, -1)),
    ),
  }),
]

const HEADERS: readonly Lie[] = [
  about(
    'header-root',
    'Serves headers with another state root.',
    blocks(inProof('stateRoot', flipped)),
  ),
  about('header-time', 'Serves headers one second younger.', blocks(inProof('timestamp', raised))),
  about('header-number', 'Serves headers with another number.', blocks(inProof('number', raised))),
  {
    name: 'header-other',
    about: 'Serves the genesis header in place of every other.',
    ask: (call) =>
      call.method.startsWith('eth_getBlockBy')
        ? { method: 'eth_getBlockByNumber', params: ['0x0', call.params[1] ?? false] }
        : call,
  },
  about('head', 'Says that the chain is a million blocks further.', {
    eth_blockNumber: (result) => raised(result, 1_000_000n),
  }),
  about('chain', 'Says that it serves another chain.', {
    eth_chainId: (result) => raised(result),
    net_version: (result) => (typeof result === 'string' ? `${result}1` : result),
    lp_status: inProof('chainId', raised),
  }),
  about('raw-header', 'Changes a devnet’s header.', {
    lp_getHeader: flipped,
    lp_getHeaders: list((headers) => headers.map(flipped)),
  }),
  about('raw-proof', 'Changes the last byte of a proof of Lightproof’s own systems.', {
    lp_getProof: inProof('proof', flipped),
  }),
]

/** Of every method. */
function always(name: string, sentence: string, change: (result: unknown) => unknown): Lie {
  return { name, about: sentence, tell: (_, result) => change(result) }
}

function numbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(numbers)
  if (isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, numbers(item)]))
  }
  return typeof value === 'string' ? 7 : value
}

const FORMS: readonly Lie[] = [
  always('null', 'Answers null.', () => null),
  always('types', 'Sends numbers where strings belong.', numbers),
  always('empty', 'Sends an empty object.', () => ({})),
  always('text', 'Sends text that is not hex.', () => '0xzz'),
  { name: 'garbage', about: 'Sends a body that is not JSON.', deliver: 'garbage' },
  { name: 'deep', about: 'Sends 200,000 lists inside each other.', deliver: 'deep' },
  { name: 'cut', about: 'Ends the connection halfway through the body.', deliver: 'cut' },
  { name: 'drop', about: 'Ends the connection without an answer.', deliver: 'drop' },
  { name: 'error-500', about: 'Answers HTTP 500.', deliver: 'error-500' },
  { name: 'redirect', about: 'Redirects to itself for ever.', deliver: 'redirect' },
  { name: 'drip', about: 'Sends a byte a second.', deliver: 'drip' },
  { name: 'flood', about: 'Sends a body of 1 GB.', deliver: 'flood' },
]

/** All lies. */
export const LIES: readonly Lie[] = [...CLAIMS, ...PROOFS, ...HEADERS, ...FORMS]
