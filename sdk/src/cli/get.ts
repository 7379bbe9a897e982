/** `lightproof get`: a value, proven. */

import { getBlock } from '../actions/getBlock.js'
import { getValue } from '../actions/getValue.js'
import { reportNodes } from '../actions/reportNodes.js'
import type { Client } from '../client/client.js'
import { toHex } from '../encoding/hex.js'
import { isRecord } from '../encoding/input.js'
import { getAccount } from '../ethereum/accounts/getAccount.js'
import { getBalance } from '../ethereum/accounts/getBalance.js'
import { getCode } from '../ethereum/accounts/getCode.js'
import { getNonce } from '../ethereum/accounts/getNonce.js'
import { getStorage } from '../ethereum/accounts/getStorage.js'
import { getErc20Balance } from '../evm/tokens.js'
import type { Reverted } from '../evm/types.js'
import type { Invalid, Unavailable } from '../result/result.js'
import { getHistory } from '../systems/cole/getHistory.js'
import { valueSystems } from '../systems/registry.js'
import type { ValueSystem } from '../systems/system.js'
import { type Io, UsageError } from './io.js'
import { blockOption, integer, slotOf } from './setup.js'
import { type ProvenOutcome, show } from './show.js'

/** What `get` is told. */
export interface GetValues {
  readonly at?: string | undefined
  readonly slot?: string | undefined
  readonly system?: string | undefined
  readonly key?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly token?: string | undefined
  readonly json?: boolean | undefined
  readonly evidence?: string | undefined
}

type Outcome = ProvenOutcome | Reverted | Invalid | Unavailable

interface Query extends GetValues {
  readonly client: Client
  readonly address: string
  readonly signal: AbortSignal
}

type Getter = (query: Query) => Promise<Outcome>

const account =
  (
    action: (
      client: Client,
      question: { address: string; signal: AbortSignal },
    ) => Promise<Outcome>,
  ): Getter =>
  ({ client, address, at, signal }) =>
    action(client, { address, signal, ...blockOption(at) })

const GETTERS: Readonly<Record<string, Getter>> = {
  account: account(getAccount),
  balance: account(getBalance),
  nonce: account(getNonce),
  code: account(getCode),
  storage: ({ client, address, slot, at, signal }) => {
    if (slot === undefined) throw new UsageError('get storage: --slot N is missing')
    return getStorage(client, { address, slot: slotOf(slot), signal, ...blockOption(at) })
  },
  block: ({ client, at, signal }) => {
    const { at: block } = blockOption(at)
    return getBlock(client, block === undefined ? { signal } : { signal, block })
  },
  value,
  history: ({ client, address, slot, from, to, at, signal }) =>
    getHistory(client, {
      address,
      fromBlock: integer(from ?? '0', '--from'),
      signal,
      ...(slot === undefined ? {} : { slot: slotOf(slot) }),
      ...(to === undefined ? {} : { toBlock: integer(to, '--to') }),
      ...blockOption(at),
    }),
  erc20: ({ client, address, token, at, signal }) => {
    if (token === undefined) throw new UsageError('get erc20: --token ADDRESS is missing')
    return getErc20Balance(client, { owner: address, token, signal, ...blockOption(at) })
  },
}

async function value(query: Query): Promise<Outcome> {
  const { client, address, slot, key, at, signal } = query
  const system = valueSystems.find(({ name }) => name === query.system)
  if (system === undefined) {
    throw new UsageError(
      `get value: --system: expected one of ${valueSystems.map(({ name }) => name).join(', ')}`,
    )
  }
  const place = { address, ...(slot === undefined ? {} : { slot: slotOf(slot) }) }
  const question = system.asksOne.includes('key') ? { key: keyOf(system, key) ?? place } : place
  // Each system parses its own question, and names what it does not know.
  return (await getValue(client, { system, signal, ...question, ...blockOption(at) })) as Outcome
}

function keyOf({ keyText }: ValueSystem, key: string | undefined): string | number | undefined {
  return keyText === 'integer' && key !== undefined ? integer(key, '--key') : key
}

/** What there is to get. */
const GETTABLE: readonly string[] = Object.keys(GETTERS)

/** Runs `get WHAT [ADDRESS]`. */
export async function get(
  io: Io,
  makeClient: () => Promise<Client>,
  [what = '', address]: readonly string[],
  values: GetValues,
): Promise<number> {
  const getter = Object.hasOwn(GETTERS, what) ? GETTERS[what] : undefined
  if (getter === undefined)
    throw new UsageError(`get: WHAT: expected one of ${GETTABLE.join(', ')}`)
  const needsAddress = what !== 'block' && values.key === undefined
  if (needsAddress && address === undefined) throw new UsageError(`get ${what}: ADDRESS is missing`)
  const client = await makeClient()
  const outcome = await getter({ ...values, client, address: address ?? '', signal: io.signal })
  const { json = false, evidence } = values
  const lies = reportNodes(client).flatMap(({ badProof }) => badProof?.evidence ?? [])
  return show(io, outcome, { json, evidence, lies, rows: (proven) => rowsOf(what, proven.value) })
}

const WEI = 10n ** 18n

/** A value in rows: one, or one for each of its fields. */
export function rowsOf(what: string, value: unknown): [string, string][] {
  if (what === 'balance' && typeof value === 'bigint')
    return [[what, `${value} wei (${ether(value)} ether)`]]
  if (Array.isArray(value)) return value.flatMap((item, i) => rowsOf(`${what}[${i}]`, item))
  if (!isRecord(value) || value instanceof Uint8Array) return [[what, text(value)]]
  return Object.entries(value).flatMap(([name, field]) =>
    rowsOf(name, field).map(([inner, text]): [string, string] => {
      // Two things of one answer may have a status.
      return [inner === 'status' ? `${name} ${inner}` : inner, text]
    }),
  )
}

function text(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  return value instanceof Uint8Array ? toHex(value) : String(value)
}

function ether(wei: bigint): string {
  const fraction = (wei % WEI).toString().padStart(18, '0').replace(/0+$/, '')
  return `${wei / WEI}${fraction === '' ? '' : `.${fraction}`}`
}
