/** Balances of ERC-20 tokens, read from the slot that holds them. */

import { parseParameters } from '../actions/parameters.js'
import type { Client } from '../client/client.js'
import { type Address, isRecord, parseAddress } from '../encoding/input.js'
import type { BlockLike } from '../proving/at.js'
import { InputError, UnavailableError } from '../result/errors.js'
import type { Invalid, Trust, Unavailable } from '../result/result.js'
import { type HashModule, loadHash } from '../wasm/module.js'
import { findBalanceLayout, type KnownWitness, parseWitnesses, type Witness } from './erc20Find.js'
import { type BalanceLayout, balanceIn, parseLayout, slotOf } from './erc20Layout.js'
import { isSameCode, readToken } from './erc20Token.js'

/** A token, and whose balance. */
export interface Erc20Parameters {
  /** Address of the token. */
  readonly token: string
  /** Whose balance. */
  readonly owner: string
  /** Where the token keeps balances. Left out: where it was found before, or where `witnesses` show it. */
  readonly layout?: BalanceLayout
  /**
   * Who is known to hold the token. Needed once per token and client, and with a layout that names no code; checked at
   * every read.
   */
  readonly witnesses?: readonly Witness[]
  /** The block. */
  readonly at?: BlockLike
  /** Aborts the action, which then throws the signal's reason. */
  readonly signal?: AbortSignal
}

const OPTIONS = ['token', 'owner', 'layout', 'witnesses', 'at', 'signal'] as const

/** A token's balance as its layout has it: the slot is proven, its meaning is not. */
export interface UnverifiedBalance {
  readonly status: 'unverifiedLayout'
  /** In the token's smallest unit. */
  readonly value: bigint
  readonly layout: BalanceLayout
  readonly trust: Trust
  /** Why it is not `present`; `proven` throws it. */
  readonly error: UnavailableError
}

/** What {@link getErc20Balance} finds. */
export type Erc20Result = UnverifiedBalance | Invalid | Unavailable

/** Where a token keeps balances, and who showed it. */
interface Place {
  readonly layout: BalanceLayout
  readonly witnesses: readonly KnownWitness[]
}

/** Places found, by client and token: a token's is looked for once for each code that it runs. */
const found = new WeakMap<Client, Map<Address, Place>>()

/**
 * Proves the slot that holds somebody's balance of an ERC-20 token; see {@link findBalanceLayout} for what that shows. In
 * the same proof are the token's code (its hash, and the slots where proxies keep whose code they run), which must be what
 * the layout was found for, and the witnesses' slots, which must hold something.
 *
 * @returns `unverifiedLayout` with the balance: that the token's code reads this slot, and all of it, nobody has shown;
 * invalid or unavailable; `unsupported` if no place, or more than one, fits the witnesses, if the token runs other code, if a
 * witness holds nothing there any more, or if the slot has bits that may be flags.
 * @throws InputError for a malformed argument, or if neither a layout nor witnesses tell where balances are;
 * PlatformError, or the reason of an aborted signal.
 */
export async function getErc20Balance(
  client: Client,
  parameters: Erc20Parameters,
): Promise<Erc20Result> {
  const given = parseParameters(client, parameters, OPTIONS)
  const hash = await loadHash()
  const token = parseAddress(given.token, 'token', hash)
  const owner = parseAddress(given.owner, 'owner', hash)
  const layout = parseLayout(given.layout)
  const witnesses = given.witnesses === undefined ? [] : parseWitnesses(given.witnesses, hash)
  const question = { token, owner, at: parameters.at, signal: parameters.signal, hash }
  if (layout !== undefined) {
    if (layout.code === undefined && witnesses.length === 0) {
      const problem = 'needed beside a layout without its code: they are checked at every read'
      throw new InputError('input.option', 'witnesses', problem)
    }
    return read(client, question, { layout, witnesses })
  }
  const known = found.get(client)?.get(token)
  const result = known && (await read(client, question, known))
  const isOver = result?.status === 'unavailable' && result.error.code === 'unsupported'
  if (result !== undefined && (!isOver || witnesses.length === 0)) return result
  if (witnesses.length === 0) {
    const problem = 'give it, or witnesses who hold the token: no node is believed about balances'
    throw new InputError('input.option', 'layout', problem)
  }
  const place = await look(client, token, parameters, witnesses)
  return 'status' in place ? place : read(client, question, place)
}

interface BalanceQuestion {
  readonly token: Address
  readonly owner: Address
  readonly at: BlockLike | undefined
  readonly signal: AbortSignal | undefined
  readonly hash: HashModule
}

async function read(
  client: Client,
  { token, owner, at, signal, hash }: BalanceQuestion,
  { layout, witnesses }: Place,
): Promise<Erc20Result> {
  const holders = [owner, ...witnesses.map(({ holder }) => holder)]
  const slots = holders.map((holder) => slotOf(layout, holder, hash))
  const state = await readToken(client, { token, slots, at, signal })
  if (!('values' in state)) return state
  const { code, values, trust } = state
  if (code === undefined)
    return unsupported(`${token} is no contract, or takes its code from a beacon`)
  if (layout.code !== undefined && !isSameCode(layout.code, code)) {
    return unsupported(`${token} runs other code than its layout was found for: ${AGAIN}`)
  }
  const [own = 0n, ...theirs] = values
  for (const [i, { holder, balance }] of witnesses.entries()) {
    const held = theirs[i] ?? 0n
    const holds = balance === undefined ? held !== 0n : balanceIn(layout, held) === balance
    if (holds) continue
    return unsupported(`${holder} does not hold that where ${token} kept balances: ${AGAIN}`)
  }
  const value = balanceIn(layout, own)
  if (value === undefined) {
    const fix = "give the layout's bits, if you know them, or a witness whose slot has them too"
    return unsupported(`the slot of ${owner} has bits that may be flags: ${fix}`)
  }
  const problem = 'the slot is proven; that the token reads its balances there is not'
  const error = new UnavailableError('unsupported', problem)
  const notProved = [...trust.notProved, 'layout' as const]
  return { status: 'unverifiedLayout', value, layout, trust: { ...trust, notProved }, error }
}

const AGAIN = 'give witnesses of this block'

function unsupported(problem: string): Unavailable {
  return { status: 'unavailable', error: new UnavailableError('unsupported', problem), tried: [] }
}

async function look(
  client: Client,
  token: Address,
  { at, signal }: Erc20Parameters,
  given: readonly KnownWitness[],
): Promise<Place | Invalid | Unavailable> {
  const witnesses = given.map(({ holder, balance }) => {
    return balance === undefined ? { holder } : { holder, balance }
  })
  const options = {
    ...(at === undefined ? {} : { at }),
    ...(signal === undefined ? {} : { signal }),
  }
  const result = await findBalanceLayout(client, { token, witnesses, ...options })
  if (result.status === 'found') {
    // What they held is of this block; that they hold something has to last.
    const holders = given.map(({ holder }) => ({ holder, balance: undefined }))
    const place = { layout: result.layout, witnesses: holders }
    const known = found.get(client) ?? new Map<Address, Place>()
    found.set(client, known.set(token, place))
    return place
  }
  if (result.status === 'invalid' || result.status === 'unavailable') return result
  return unsupported(
    result.status === 'none'
      ? `none of the places where ${token} may keep balances fits the witnesses; if you know it, give the layout`
      : `${result.layouts.length} places where ${token} may keep balances fit the witnesses; give more, or a balance`,
  )
}

/** Forgets where a token keeps its balances. */
export function forgetBalanceLayout(client: Client, token: string): void {
  if (!isRecord(client)) return
  for (const address of found.get(client)?.keys() ?? []) {
    if (address === token.toLowerCase()) found.get(client)?.delete(address)
  }
}
