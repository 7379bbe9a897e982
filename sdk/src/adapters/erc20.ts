/** Balances of ERC-20 tokens, read from the slot that holds them. */

import { fetchProof } from '../actions/fetchProof.js'
import { getBlock } from '../actions/getBlock.js'
import { getStorage } from '../actions/getStorage.js'
import { parseParameters, parseSignal } from '../actions/parameters.js'
import type { Client } from '../client.js'
import { type BlockLike, parseBlock } from '../core/at.js'
import {
  type Address,
  isRecord,
  parseAddress,
  parseInteger,
  parseOptions,
  shown,
} from '../encoding/input.js'
import { InputError, ProofError, UnavailableError } from '../errors.js'
import type { FactJson } from '../file.js'
import type { Block, Invalid, Result, Unavailable } from '../result.js'
import { loadHash } from '../wasm/module.js'
import { type BalanceLayout, balanceIn, candidates, parseLayout, slotOf } from './erc20Layout.js'

/** Somebody who holds the token, known from elsewhere than the nodes: you, from a receipt; an exchange. */
export interface Witness {
  readonly holder: string
  /** What they hold at the block, in the token's smallest unit, if you know it: it settles more than the holder alone. */
  readonly balance?: bigint
}

/** How to find where a token keeps its balances. */
export interface BalanceLayoutParameters {
  /** Address of the token. */
  readonly token: string
  /** At least one, at most 8. */
  readonly witnesses: readonly Witness[]
  /** How many positions of mappings to look at. Default 64, at most 256. */
  readonly positions?: number
  /** The block. */
  readonly at?: BlockLike
  /** Aborts the action, which then throws the signal's reason. */
  readonly signal?: AbortSignal
}

/** What the places hold. */
export type BalanceLayoutResult =
  | {
      readonly status: 'found'
      readonly layout: BalanceLayout
      /** Did it match a balance that you knew, or only hold something for each holder? */
      readonly matched: 'balance' | 'holder'
      readonly block: Block
    }
  /** Several places fit: name more witnesses, or a balance. */
  | {
      readonly status: 'ambiguous'
      readonly layouts: readonly BalanceLayout[]
      readonly block: Block
    }
  /** None of the places fits: the token keeps its balances elsewhere, or computes them. */
  | { readonly status: 'none'; readonly block: Block }
  | Invalid
  | Unavailable

const LAYOUT_OPTIONS = ['token', 'witnesses', 'positions', 'at', 'signal'] as const
/** Masks of balances that share their slot with flags (USDC: 255), the widest first. */
const WIDTHS = [256, 255, 248, 240, 224, 208, 192, 160, 128, 112, 96]

/**
 * Finds where a token keeps its balances, by proofs of every place where compilers and libraries put them. All places of
 * a holder are proven at once, under one block; no node is asked for `balanceOf`, which nothing proves.
 *
 * It shows that a slot of the contract holds the balance that a witness names, at the place where a mapping would keep it.
 * It cannot show that the token's code reads that slot: a token may move balances when it is upgraded, scale them (rebasing
 * tokens), or lie. With witnesses whose balance is not given, another mapping that holds something for all of them and
 * nothing beside (permits used) would pass for it: name several, or better a balance.
 *
 * @throws InputError for a malformed argument, PlatformError, or the reason of an aborted signal.
 */
export async function findBalanceLayout(
  client: Client,
  parameters: BalanceLayoutParameters,
): Promise<BalanceLayoutResult> {
  const given = parseParameters(client, parameters, LAYOUT_OPTIONS)
  const hash = await loadHash()
  const token = parseAddress(given.token, 'token', hash)
  const witnesses = parseList(given.witnesses).map((witness, i) => {
    const argument = `witnesses[${i}]`
    const { holder, balance } = parseOptions(witness, argument, ['holder', 'balance'])
    if (balance !== undefined && (typeof balance !== 'bigint' || balance <= 0n)) {
      const problem = `expected a bigint above 0, got ${shown(balance)}`
      throw new InputError('input.option', `${argument}.balance`, problem)
    }
    return { holder: parseAddress(holder, `${argument}.holder`, hash), balance }
  })
  const positions = parseInteger(given.positions, 'positions', { min: 1, max: 256, fallback: 64 })
  const signal = parseSignal(given.signal)
  parseBlock(given.at, 'at', client)
  const block = await blockAt(client, parameters.at, signal)
  if (!('trust' in block)) return block
  let left = candidates(positions)
  for (const { holder, balance } of witnesses) {
    const slots = left.map((layout) => slotOf(layout, holder, hash))
    const values = await readSlots(client, { token, slots, block: block.value, signal })
    if (!Array.isArray(values)) return values
    left = left.flatMap((layout, i) => fit(layout, values[i] ?? 0n, balance) ?? [])
    if (left.length === 0) return { status: 'none', block: block.value }
  }
  const [layout, ...others] = left
  if (layout === undefined || others.length > 0) {
    return { status: 'ambiguous', layouts: left, block: block.value }
  }
  const known = witnesses.some(({ balance }) => balance !== undefined)
  return { status: 'found', layout, matched: known ? 'balance' : 'holder', block: block.value }
}

function parseList(value: unknown): readonly unknown[] {
  if (Array.isArray(value) && value.length >= 1 && value.length <= 8) return value
  const why = 'where a token keeps balances can only be told from somebody known to hold it'
  const problem = `expected 1 to 8 of { holder, balance? }, got ${shown(value)}: ${why}`
  throw new InputError('input.option', 'witnesses', problem)
}

function blockAt(
  client: Client,
  at: BlockLike | undefined,
  signal: AbortSignal | undefined,
): Promise<Result<Block, never>> {
  return getBlock(client, {
    ...(at === undefined ? {} : { block: at }),
    ...(signal === undefined ? {} : { signal }),
  })
}

/** Does the place hold what the witness says? Then the layout, narrowed to the bits that do. */
function fit(
  layout: BalanceLayout,
  value: bigint,
  balance: bigint | undefined,
): BalanceLayout | undefined {
  if (balance === undefined) return balanceIn(layout, value) === 0n ? undefined : layout
  const widths = layout.bits === undefined ? WIDTHS : [layout.bits]
  const bits = widths.find((width) => BigInt.asUintN(width, value) === balance)
  return bits === undefined ? undefined : { ...layout, bits }
}

interface Slots {
  readonly token: Address
  readonly slots: readonly string[]
  readonly block: Block
  readonly signal: AbortSignal | undefined
}

async function readSlots(
  client: Client,
  { token, slots, block, signal }: Slots,
): Promise<bigint[] | Invalid | Unavailable> {
  const question = { address: token, slots, at: block, ...(signal === undefined ? {} : { signal }) }
  try {
    const { expected } = await fetchProof(client, question)
    // fetchProof returns only what the core has proven, so the fact is there, and of its form.
    const { slots: proven } = expected.result === 'valid' ? (expected.fact as FactJson) : NO_FACT
    return proven.map((slot) => (slot.status === 'present' ? BigInt(slot.value) : 0n))
  } catch (error) {
    if (error instanceof ProofError) return { status: 'invalid', error, evidence: [] }
    if (error instanceof UnavailableError) return { status: 'unavailable', error, tried: [] }
    throw error
  }
}

const NO_FACT: Pick<FactJson, 'slots'> = { slots: [] }

/** A token, and whose balance. */
export interface Erc20Parameters {
  /** Address of the token. */
  readonly token: string
  /** Whose balance. */
  readonly owner: string
  /** Where the token keeps balances. Left out: where it was found before, or where `witnesses` show it. */
  readonly layout?: BalanceLayout
  /** Who is known to hold the token; needed once per token and client, if no layout is given. */
  readonly witnesses?: readonly Witness[]
  /** The block. */
  readonly at?: BlockLike
  /** Aborts the action, which then throws the signal's reason. */
  readonly signal?: AbortSignal
}

const OPTIONS = ['token', 'owner', 'layout', 'witnesses', 'at', 'signal'] as const

/** Layouts found, by client and token: a token's is looked for once. */
const found = new WeakMap<Client, Map<Address, BalanceLayout>>()

/**
 * Proves the slot that holds somebody's balance of an ERC-20 token; see {@link findBalanceLayout} for what that shows.
 * `trust.notProved` names `layout`.
 *
 * @returns present with the balance in the token's smallest unit, absent with 0n (the slot was never written, or was
 * cleared), invalid or unavailable; `unsupported` if no place, or more than one, fits the witnesses.
 * @throws InputError for a malformed argument, or if neither a layout nor witnesses tell where balances are;
 * PlatformError, or the reason of an aborted signal.
 */
export async function getErc20Balance(
  client: Client,
  parameters: Erc20Parameters,
): Promise<Result<bigint, 0n>> {
  const given = parseParameters(client, parameters, OPTIONS)
  const hash = await loadHash()
  const token = parseAddress(given.token, 'token', hash)
  const owner = parseAddress(given.owner, 'owner', hash)
  const layout = parseLayout(given.layout) ?? found.get(client)?.get(token)
  const place = layout ?? (await look(client, token, parameters))
  if ('status' in place) return place
  const { at, signal } = parameters
  const result = await getStorage(client, {
    address: token,
    slot: slotOf(place, owner, hash),
    ...(at === undefined ? {} : { at }),
    ...(signal === undefined ? {} : { signal }),
  })
  if (!('trust' in result)) return result
  const trust = { ...result.trust, notProved: [...result.trust.notProved, 'layout' as const] }
  const balance = balanceIn(place, result.value)
  return balance === 0n
    ? { status: 'absent', value: 0n, trust }
    : { status: 'present', value: balance, trust }
}

async function look(
  client: Client,
  token: Address,
  { witnesses, at, signal }: Erc20Parameters,
): Promise<BalanceLayout | Invalid | Unavailable> {
  if (witnesses === undefined) {
    const problem = 'give it, or witnesses who hold the token: no node is believed about balances'
    throw new InputError('input.option', 'layout', problem)
  }
  const options = {
    ...(at === undefined ? {} : { at }),
    ...(signal === undefined ? {} : { signal }),
  }
  const result = await findBalanceLayout(client, { token, witnesses, ...options })
  if (result.status === 'found') {
    const known = found.get(client) ?? new Map<Address, BalanceLayout>()
    found.set(client, known.set(token, result.layout))
    return result.layout
  }
  if (result.status === 'invalid' || result.status === 'unavailable') return result
  const problem =
    result.status === 'none'
      ? `none of the places where ${token} may keep balances fits the witnesses; if you know it, give the layout`
      : `${result.layouts.length} places where ${token} may keep balances fit the witnesses; give more, or a balance`
  return { status: 'unavailable', error: new UnavailableError('unsupported', problem), tried: [] }
}

/** Forgets where a token keeps its balances, after an upgrade of the token. */
export function forgetBalanceLayout(client: Client, token: string): void {
  if (!isRecord(client)) return
  for (const address of found.get(client)?.keys() ?? []) {
    if (address === token.toLowerCase()) found.get(client)?.delete(address)
  }
}
