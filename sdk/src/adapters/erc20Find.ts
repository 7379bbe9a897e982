/** Where a token keeps balances, found by somebody who is known to hold it. */

import { getBlock } from '../actions/getBlock.js'
import { parseParameters, parseSignal } from '../actions/parameters.js'
import type { Client } from '../client/client.js'
import { type Address, parseAddress, parseInteger, parseOptions, shown } from '../encoding/input.js'
import { type BlockLike, parseBlock } from '../proving/at.js'
import { InputError } from '../result/errors.js'
import type { Block, Invalid, Result, Unavailable } from '../result/result.js'
import { type HashModule, loadHash } from '../wasm/module.js'
import { type BalanceLayout, candidates, slotOf, WIDTHS, widthsOf } from './erc20Layout.js'
import { readToken } from './erc20Token.js'

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
  const witnesses = parseWitnesses(given.witnesses, hash)
  const positions = parseInteger(given.positions, 'positions', { min: 1, max: 256, fallback: 64 })
  const signal = parseSignal(given.signal)
  parseBlock(given.at, 'at', client)
  const block = await blockAt(client, parameters.at, signal)
  if (!('trust' in block)) return block
  let left = candidates(positions)
  for (const { holder, balance } of witnesses) {
    const slots = left.map((layout) => slotOf(layout, holder, hash))
    const state = await readToken(client, { token, slots, at: block.value, signal })
    if (!('values' in state)) return state
    const { code, values } = state
    if (code === undefined) return { status: 'none', block: block.value }
    left = left.flatMap((layout, i) => fit({ ...layout, code }, values[i] ?? 0n, balance) ?? [])
    if (left.length === 0) return { status: 'none', block: block.value }
  }
  const [layout, ...others] = left
  if (layout === undefined || others.length > 0) {
    return { status: 'ambiguous', layouts: left, block: block.value }
  }
  const known = witnesses.some(({ balance }) => balance !== undefined)
  return { status: 'found', layout, matched: known ? 'balance' : 'holder', block: block.value }
}

/** A witness, parsed. */
export interface KnownWitness {
  readonly holder: Address
  readonly balance: bigint | undefined
}

/** @throws InputError */
export function parseWitnesses(value: unknown, hash: HashModule): KnownWitness[] {
  return parseList(value).map((witness, i) => {
    const argument = `witnesses[${i}]`
    const { holder, balance } = parseOptions(witness, argument, ['holder', 'balance'])
    if (balance !== undefined && (typeof balance !== 'bigint' || balance <= 0n)) {
      const problem = `expected a bigint above 0, got ${shown(balance)}`
      throw new InputError('input.option', `${argument}.balance`, problem)
    }
    return { holder: parseAddress(holder, `${argument}.holder`, hash), balance }
  })
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

/** Does the place hold what the witness says? Then the layout, narrowed to the widths that do, the narrowest first. */
function fit(
  layout: BalanceLayout,
  value: bigint,
  balance: bigint | undefined,
): BalanceLayout | undefined {
  if (balance === undefined) return value === 0n ? undefined : layout
  const [fewest, most] = widthsOf(layout)
  const fitting = WIDTHS.filter(
    (bits) => bits >= fewest && bits <= most && BigInt.asUintN(bits, value) === balance,
  )
  const [bits, widest] = [fitting[0], fitting.at(-1)]
  return bits === undefined || widest === undefined ? undefined : { ...layout, bits, widest }
}
