/**
 * System cole: every version of a slot, complete; the questions' bytes, and the core's facts as
 * values.
 */

import { type Hex, integerBytes } from '../encoding/hex.js'
import { parseAddress, parseInteger, parseSlot, type SlotLike } from '../encoding/input.js'
import { encodeRlp } from '../encoding/rlp.js'
import { InputError, UnavailableError } from '../result/errors.js'
import type { HashModule } from '../wasm/module.js'
import { keyOf, slotOf } from './keys.js'
import type { Ask, Given, StateContext, StateItem, ValueSystem } from './system.js'

/** A version as the core writes it. */
export interface VersionJson {
  readonly block: Hex
  readonly value: Hex
}

/** The core's fact about an address's versions, as JSON. */
export type ColeFactJson =
  | {
      readonly mode: 'range'
      readonly address: Hex
      readonly fromBlock: Hex
      readonly toBlock: Hex
      readonly complete: true
      /** Oldest first, each packed: 4 bytes of block number, 32 of value. */
      readonly versions: Hex
      readonly predecessor:
        | ({ readonly status: 'proven' } & VersionJson)
        | { readonly status: 'none' | 'notProven' }
    }
  | {
      readonly mode: 'asOf'
      readonly address: Hex
      readonly asOf: Hex
      readonly value: ({ readonly status: 'present' } & VersionJson) | { readonly status: 'absent' }
    }

/** A value, and the block that wrote it. A cleared slot is a version of 32 zero bytes. */
export interface Version {
  readonly block: bigint
  /** 32 bytes. */
  readonly value: Hex
}

/** What stood before a range: proven, proven to be nothing, or not told by the proof. */
export type Predecessor =
  | ({ readonly status: 'proven' } & Version)
  | { readonly status: 'none' | 'notProven' }

/** Every version in a range of blocks. */
export interface History {
  readonly fromBlock: bigint
  /** The last block that it covers: the one asked for, but no later than the proof's block. */
  readonly toBlock: bigint
  /** Oldest first. */
  readonly versions: readonly Version[]
  /** Nothing is left out: the proof shows it. */
  readonly complete: true
  readonly predecessor: Predecessor
}

/** A slot of an account. */
export interface SlotQuestion {
  /** `0x` and 40 hex digits. In mixed case its EIP-55 checksum must be right. */
  readonly address: string
  /** The account's slot: its number, or hex of at most 32 bytes. Default 0. */
  readonly slot?: SlotLike
}

/** A question about one value. */
export interface ColeValueQuestion extends SlotQuestion {
  /**
   * The value that stood after this block, no later than the proof's; the latest one if left out.
   */
  readonly asOf?: number | bigint
}

/** A question about all versions in a range. */
export interface ColeHistoryQuestion extends SlotQuestion {
  /** First block, no later than the proof's. */
  readonly fromBlock: number | bigint
  /** Last block, included. Default: the block of the proof. */
  readonly toBlock?: number | bigint
}

/** A value as of a block, with the block that wrote it; or that there was none. */
export type ColeOutcome =
  | { readonly status: 'present'; readonly value: Hex; readonly block: bigint }
  | { readonly status: 'absent'; readonly value: undefined }

/** What a range holds: present if there are versions in it. */
export interface ColeHistory {
  readonly status: 'present' | 'absent'
  readonly value: History
}

/** The types of {@link cole}. */
export interface ColeTypes {
  readonly name: 'cole'
  readonly format: 'cole/1' | 'cole/fast24'
  readonly fact: ColeFactJson
  readonly question: ColeValueQuestion | ColeHistoryQuestion
  readonly finding: ColeOutcome | ColeHistory
  readonly single: ColeValueQuestion
  readonly outcome: ColeOutcome
}

/** Block numbers have 4 bytes; as of the last one there can be is the latest value. */
const LAST_BLOCK = 0xffff_ffffn

/** Every version of a value, and nothing left out. */
export const cole: ValueSystem<ColeTypes> = {
  name: 'cole',
  module: 'hash',
  verifier: 'ColeVerifier',
  formats: ['cole/1', 'cole/fast24'],
  // m = 4, T = 4.
  devnet: { format: 'cole/1', params: '0xc3800404' },
  variants: ['plain'],
  asks: ['address', 'slot', 'asOf', 'fromBlock', 'toBlock'],
  asksOne: ['address', 'slot', 'asOf'],
  parse(given, hash) {
    return given['fromBlock'] === undefined ? askValue(given, hash) : askHistory(given, hash)
  },
  read: (fact) => ({
    finding: fact.mode === 'range' ? historyOf(fact) : outcomeOf(fact),
    proved: [fact.mode === 'range' ? 'history' : 'value'],
  }),
  valueOf: (fact) => (fact.mode === 'asOf' ? outcomeOf(fact) : undefined),
  inState,
}

function parseKey({ address, slot = 0n }: Given, hash: HashModule): Uint8Array {
  return keyOf(parseAddress(address, 'address', hash), parseSlot(slot, 'slot'))
}

function askValue(given: Given, hash: HashModule): Ask {
  const { asOf, toBlock } = given
  if (toBlock !== undefined) {
    throw new InputError('input.option', 'toBlock', 'only valid with fromBlock')
  }
  const block = asOf === undefined ? LAST_BLOCK : parseBlockNumber(asOf, 'asOf')
  const query = encodeQuery('asOf', parseKey(given, hash), block, block)
  return ({ number }) => {
    if (asOf !== undefined) expectReached(block, number)
    return { query }
  }
}

/** A question about all versions in a range. */
export function askHistory(given: Given, hash: HashModule): Ask {
  const { asOf, fromBlock, toBlock } = given
  if (asOf !== undefined) {
    throw new InputError('input.option', 'asOf', 'expected either asOf or fromBlock, got both')
  }
  const from = parseBlockNumber(fromBlock, 'fromBlock')
  const last = toBlock === undefined ? undefined : parseBlockNumber(toBlock, 'toBlock')
  if (last !== undefined && last < from) {
    throw new InputError('input.block', 'toBlock', 'expected a block no earlier than fromBlock')
  }
  const key = parseKey(given, hash)
  return ({ number }) => {
    expectReached(from, number)
    return { query: encodeQuery('range', key, from, last ?? number) }
  }
}

/** A proof says nothing about blocks after its own: not even that they hold no version. */
function expectReached(block: bigint, number: bigint): void {
  if (block <= number) return
  const problem = `block ${block} is newer than ${number}, the block of the proof`
  throw new UnavailableError('untrusted', problem)
}

function parseBlockNumber(value: unknown, argument: string): bigint {
  const range = { min: 0, max: Number(LAST_BLOCK), code: 'input.block' } as const
  return BigInt(parseInteger(typeof value === 'bigint' ? Number(value) : value, argument, range))
}

/** The query's RLP: `[mode, address ‖ slot, from, to]`. */
function encodeQuery(
  mode: ColeFactJson['mode'],
  key: Uint8Array,
  from: bigint,
  to: bigint,
): Uint8Array {
  return encodeRlp([
    integerBytes(mode === 'asOf' ? 1n : 0n),
    key,
    integerBytes(from),
    integerBytes(to),
  ])
}

/** The history of a fact. */
export function historyOf(fact: Extract<ColeFactJson, { mode: 'range' }>): ColeHistory {
  const { fromBlock, toBlock, versions, predecessor } = fact
  const found = unpack(versions)
  const value: History = {
    fromBlock: BigInt(fromBlock),
    toBlock: BigInt(toBlock),
    versions: found,
    complete: true,
    predecessor:
      predecessor.status === 'proven'
        ? { status: 'proven', ...versionOf(predecessor) }
        : { status: predecessor.status },
  }
  return { status: found.length > 0 ? 'present' : 'absent', value }
}

function outcomeOf({ value }: Extract<ColeFactJson, { mode: 'asOf' }>): ColeOutcome {
  return value.status === 'present'
    ? { status: 'present', ...versionOf(value) }
    : { status: 'absent', value: undefined }
}

/** The value of the slot in the proof's own block, where the question reaches it. */
function inState(
  fact: ColeFactJson,
  _: Uint8Array,
  { number }: StateContext,
): readonly StateItem[] {
  const last = BigInt(fact.mode === 'asOf' ? fact.asOf : fact.toBlock)
  const value = last < number ? undefined : newestOf(fact)
  const item = value === undefined ? undefined : slotOf({ key: fact.address, value })
  return item === undefined ? [] : [item]
}

/**
 * The newest value in a fact; undefined if the fact has no value and does not prove its absence.
 */
function newestOf(fact: ColeFactJson): Hex | undefined {
  if (fact.mode === 'asOf') return fact.value.status === 'present' ? fact.value.value : '0x'
  const { versions, predecessor } = historyOf(fact).value
  const newest = versions.at(-1)
  if (newest !== undefined) return newest.value
  if (predecessor.status === 'proven') return predecessor.value
  return predecessor.status === 'none' ? '0x' : undefined
}

/**
 * Versions of 36 bytes each: a history may hold thousands, and as objects JSON would take longest
 * of all to read.
 */
function unpack(packed: Hex): Version[] {
  const records = packed.slice(2).match(/.{72}/g) ?? []
  return records.map((digits) => ({
    block: BigInt(`0x${digits.slice(0, 8)}`),
    value: `0x${digits.slice(8)}`,
  }))
}

function versionOf({ block, value }: VersionJson): Version {
  return { block: BigInt(block), value }
}
