/** Systems that map keys to values, and prove many keys by one proof: what they have in common. */

import { bytesOf, fromHex, type Hex, toHex } from '../encoding/hex.js'
import { isRecord, parseAddress, parseSlot, type SlotLike, unexpected } from '../encoding/input.js'
import { encodeRlp } from '../encoding/rlp.js'
import { InputError } from '../result/errors.js'
import type { HashModule, ModuleName } from '../wasm/module.js'
import type { Shard, ShardSetup } from './shard.js'
import type {
  Ask,
  KeySystem,
  Outcome,
  ProvenValues,
  Question,
  StateContext,
  StateItem,
  SystemConfig,
} from './system.js'

/**
 * A key: `0x` and its bytes in hex, or an account's slot (default 0), which is `address ‖ slot`.
 */
export type KeyLike = string | { readonly address: string; readonly slot?: SlotLike }

/** A fact about keys: one item per key, in the order of the query. */
export interface KeyFact<J> {
  readonly values: readonly J[]
}

/** The types of a system whose query is the list of its keys. */
export interface KeySystemTypes<
  N extends string,
  K,
  J,
  O extends Outcome,
  F extends string = string,
> {
  readonly name: N
  readonly format: F
  readonly fact: KeyFact<J>
  readonly question: { readonly key: K } | { readonly keys: readonly K[] }
  readonly finding: ProvenValues<O>
  readonly single: { readonly key: K }
  readonly outcome: O
  readonly key: K
}

/** What makes a {@link keySystem}. */
interface KeySystemParts<N extends string, J, O extends Outcome, F extends string> {
  readonly name: N
  readonly module: ModuleName
  readonly verifier: `${string}Verifier`
  readonly partsFrom?: Readonly<Record<string, number>>
  readonly formats: readonly [F, ...F[]]
  readonly devnet?: SystemConfig<F>
  readonly variants: readonly [string, ...string[]]
  /** How a command line writes a key. Default `hex`. */
  readonly keyText?: 'hex' | 'integer'
  /** The bytes that stand for a key in the query. */
  parseKey(key: unknown, argument: string, hash: HashModule): Uint8Array
  /** What an item of the fact says. */
  outcomeOf(item: J): O
  /** The shard, of 2^bits, that proves a key. Left out: every node proves all keys. */
  readonly shardOf?: (key: Uint8Array, bits: number, setup: ShardSetup, hash: HashModule) => number
  /** What an item says of an account that is followed; undefined if nothing. */
  readonly inState?: (item: NoInfer<J>, context: StateContext) => StateItem | undefined
  /** Whether `inState` says nothing without the context's `accounts`. Default false. */
  readonly needsAccounts?: boolean
  /** How the query orders its keys, as `Array.sort` takes it. Left out: as the caller did. */
  readonly compare?: (a: Uint8Array, b: Uint8Array) => number
}

const MAX_KEYS = 1024

/** A system whose query is the RLP list of its keys. */
export function keySystem<N extends string, K, J, O extends Outcome, F extends string>(
  parts: KeySystemParts<N, J, O, F>,
): KeySystem<KeySystemTypes<N, K, J, O, F>> {
  const { name, module, verifier, formats, devnet, variants, keyText = 'hex', outcomeOf } = parts
  const { needsAccounts = false, partsFrom } = parts
  const valuesOf = ({ values }: KeyFact<J>): readonly O[] => values.map(outcomeOf)
  return {
    name,
    module,
    verifier,
    ...(partsFrom && { partsFrom }),
    formats,
    ...(devnet && { devnet }),
    variants,
    keyText,
    asks: ['key', 'keys'],
    asksOne: ['key'],
    parse({ key, keys }, hash) {
      if (keys === undefined) return askFor(parts, [parts.parseKey(key, 'key', hash)], hash)
      if (key === undefined) return parseKeys(parts, keys, hash).ask
      throw new InputError('input.option', 'keys', 'expected either key or keys, got both')
    },
    parseKeys: (keys, hash) => parseKeys(parts, keys, hash),
    read: (fact) => ({ finding: { status: 'proven', value: valuesOf(fact) }, proved: ['value'] }),
    inState: ({ values }, _, context) =>
      values.flatMap((item) => parts.inState?.(item, context) ?? []),
    needsAccounts,
    valueOf: (fact) => valuesOf(fact)[0],
    valuesOf,
  }
}

function askFor(
  { shardOf }: Pick<KeySystemParts<string, unknown, Outcome, string>, 'shardOf'>,
  keys: readonly Uint8Array[],
  hash: HashModule,
): Ask {
  const query = encodeRlp(keys)
  if (shardOf === undefined) return () => ({ query })
  const shards = (setup: ShardSetup, bits: number): number[] =>
    keys.map((key) => shardOf(key, bits, setup, hash))
  const within = (setup: ShardSetup, { bits, index }: Shard): Question | undefined => {
    const places = shards(setup, bits).flatMap((shard, place) => (shard === index ? [place] : []))
    if (places.length === 0) return undefined
    const part = keys.filter((_, place) => places.includes(place))
    return { query: encodeRlp(part), places }
  }
  return () => ({ query, shards, within })
}

function parseKeys(
  parts: Pick<KeySystemParts<string, unknown, Outcome, string>, 'parseKey' | 'compare' | 'shardOf'>,
  value: unknown,
  hash: HashModule,
): { readonly ask: Ask; readonly order: readonly number[] } {
  const { parseKey, compare } = parts
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_KEYS) {
    throw new InputError('input.key', 'keys', `expected a list of 1 to ${MAX_KEYS} keys`)
  }
  const keys = value.map((key: unknown, i) => parseKey(key, `keys[${i}]`, hash))
  const names = keys.map(toHex)
  const twice = names.findIndex((name, i) => names.indexOf(name) !== i)
  if (twice >= 0) throw new InputError('input.key', `keys[${twice}]`, 'asked for twice')
  const sorted = compare === undefined ? keys : [...keys].sort(compare)
  return { ask: askFor(parts, sorted, hash), order: keys.map((key) => sorted.indexOf(key)) }
}

/** The bytes of a {@link KeyLike}. */
export function parseKeyLike(value: unknown, argument: string, hash: HashModule): Uint8Array {
  if (isRecord(value)) {
    const address = parseAddress(value['address'], `${argument}.address`, hash)
    return keyOf(address, parseSlot(value['slot'] ?? 0n, `${argument}.slot`))
  }
  const bytes = fromHex(value)
  if (bytes !== undefined && bytes.length > 0) return bytes
  throw unexpected(
    'input.key',
    argument,
    '0x and hex of one byte or more, or { address, slot }',
    value,
  )
}

/** What an item of a key `address ‖ slot` says of that slot; undefined for another key. */
export function slotOf({
  key,
  value = '0x',
}: {
  readonly key: Hex
  readonly value?: Hex
}): StateItem | undefined {
  if (key.length !== 2 + 2 * 52) return undefined
  const [address, slot] = [key.slice(0, 42) as Hex, `0x${key.slice(42)}` as Hex]
  return { address, slot, value: value === '0x' ? 0n : BigInt(value) }
}

/** The key of an account's slot: `address ‖ slot`, 52 bytes. */
export function keyOf(address: Hex, slot: Hex): Uint8Array {
  const key = new Uint8Array(52)
  key.set(bytesOf(address))
  key.set(bytesOf(slot), 20)
  return key
}
