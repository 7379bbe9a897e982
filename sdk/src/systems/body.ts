/**
 * System body: transactions, receipts, withdrawals and logs of a block, from plain Ethereum nodes.
 */

import { bytesOf, type Hex, integerBytes } from '../encoding/hex.js'
import { parseAddress, parseHash, parseInteger, parseOptions, shown } from '../encoding/input.js'
import { encodeRlp, name, type RlpValue } from '../encoding/rlp.js'
import { InputError } from '../result/errors.js'
import type { HashModule } from '../wasm/module.js'
import { readBody } from './body/read.js'
import { type Lists, requestBody } from './body/request.js'
import type { BodyFactJson, BodyQuestion, BodyValue, LogFilter } from './body/types.js'
import type { Ask, Given, ProofSystem, ProvedPart } from './system.js'

/** The types of {@link body}. */
export interface BodyTypes {
  readonly name: 'body'
  readonly format: 'body/1'
  readonly fact: BodyFactJson
  readonly question: BodyQuestion
  readonly finding: { readonly status: 'proven'; readonly value: BodyValue }
}

const LISTS = ['transactions', 'receipts', 'withdrawals', 'bloom', 'logs'] as const
type List = (typeof LISTS)[number]

/** What a block holds beside state. */
export const body: ProofSystem<BodyTypes> = {
  name: 'body',
  module: 'mpt',
  verifier: 'BodyVerifier',
  formats: ['body/1'],
  ethereum: { format: 'body/1' },
  variants: ['plain'],
  asks: ['list', 'indices', 'address', 'topics', 'hashes'],
  parse(given, hash) {
    const list = LISTS.find((known) => known === given['list'])
    if (list === undefined) {
      const problem = `expected ${LISTS.join(', ')}, got ${shown(given['list'])}`
      throw new InputError('input.option', 'list', problem)
    }
    return askBody(list, parseRest(list, given, hash), given['hashes'] === true)
  },
  read(fact) {
    const value = readBody(fact)
    return { finding: { status: 'proven', value }, proved: [partOf(value)] }
  },
}

/**
 * The query whether a block may have a log of the filter.
 *
 * @throws InputError for a malformed filter.
 */
export function bloomQuery(filter: LogFilter, hash: HashModule): Uint8Array {
  return encodeRlp([name('bloom'), ...parseRest('bloom', { ...filter }, hash)])
}

function partOf(value: BodyValue): ProvedPart {
  if ('transactions' in value) return 'transactions'
  if ('receipts' in value) return 'receipts'
  return 'withdrawals' in value ? 'withdrawals' : 'logs'
}

/** The items of the query behind the list's name; parameters of other lists are refused. */
function parseRest(list: List, given: Given, hash: HashModule): RlpValue[] {
  const known: Readonly<Record<List, readonly string[]>> = {
    transactions: ['indices'],
    receipts: ['indices'],
    withdrawals: [],
    bloom: ['address', 'topics'],
    logs: ['address', 'topics', 'hashes'],
  }
  const asked = Object.entries(given).filter(([key]) => body.asks.includes(key) && key !== 'list')
  parseOptions(Object.fromEntries(asked), list, known[list])
  const { indices, address, topics, hashes } = given
  if (list === 'withdrawals') return []
  if (list === 'transactions' || list === 'receipts') return [parseIndices(indices)]
  const filter = [parseAddresses(address, hash), parseTopics(topics)]
  if (list === 'bloom') return filter
  if (hashes !== undefined && typeof hashes !== 'boolean') {
    throw new InputError('input.option', 'hashes', `expected true or false, got ${shown(hashes)}`)
  }
  return [...filter, integerBytes(hashes === true ? 1n : 0n)]
}

const MAX_ITEMS = 1024
const MAX_POSITIONS = 4

function parseIndices(value: unknown = []): RlpValue {
  const indices = listOf(value, 'indices', MAX_ITEMS).map((index, i) =>
    parseInteger(index, `indices[${i}]`, { min: 0, max: Number.MAX_SAFE_INTEGER }),
  )
  if (indices.some((index, i) => i > 0 && index <= (indices[i - 1] ?? 0))) {
    throw new InputError('input.option', 'indices', 'expected ascending indices')
  }
  return indices.map((index) => integerBytes(BigInt(index)))
}

function parseAddresses(value: unknown = [], hash: HashModule): RlpValue {
  const all = typeof value === 'string' ? [value] : listOf(value, 'address', MAX_ITEMS)
  return all.map((address, i) => bytesOf(parseAddress(address, `address[${i}]`, hash)))
}

function parseTopics(value: unknown = []): RlpValue {
  return listOf(value, 'topics', MAX_POSITIONS).map((position, i) => {
    const name = `topics[${i}]`
    if (position === null) return []
    const any = typeof position === 'string' ? [position] : listOf(position, name, MAX_ITEMS)
    return any.map((topic, j) => bytesOf(parseHash(topic, `${name}[${j}]`, 'input.option') as Hex))
  })
}

function listOf(value: unknown, argument: string, most: number): readonly unknown[] {
  if (Array.isArray(value) && value.length <= most) return value
  throw new InputError('input.option', argument, `expected a list of at most ${most}`)
}

/** The lists that a proof holds, for each question. */
function listsFor(list: List, hashes: boolean): Lists {
  if (list === 'logs') return { receipts: true, transactions: hashes }
  if (list === 'receipts') return { receipts: true, transactions: true }
  return list === 'bloom' ? {} : { [list]: true }
}

function askBody(list: List, rest: readonly RlpValue[], hashes: boolean): Ask {
  const query = encodeRlp([name(list), ...rest])
  const lists = listsFor(list, hashes)
  return () => ({
    query,
    request: async (desk, header) => ({
      variant: 'plain',
      proof: list === 'bloom' ? encodeRlp([]) : await requestBody(desk, lists, header),
    }),
  })
}
