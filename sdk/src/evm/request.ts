/** Calls as the module takes them, and its answers as they are. */

import type { Hex } from '../encoding/hex.js'
import { bytesOf, integerBytes } from '../encoding/hex.js'
import type { Address, Hash } from '../encoding/input.js'
import { encodeRlp, type RlpValue } from '../encoding/rlp.js'
import type { Header } from '../proving/header.js'
import type { Rejected } from '../proving/rejection.js'
import type { Witness } from './witness.js'

/** A parsed call. */
export interface Call {
  readonly from: Address
  /** Undefined: creates a contract. */
  readonly to: Address | undefined
  readonly gas: bigint
  readonly gasPrice: bigint
  readonly value: bigint
  readonly data: Uint8Array
  readonly accessList: readonly { readonly address: Address; readonly keys: readonly Hex[] }[]
}

/** Most that one call may use: gas, bytes of memory, items that it reads. */
export const LIMITS: { readonly [name in 'gas' | 'memory' | 'items']: bigint } = {
  gas: 2n ** 26n,
  memory: 2n ** 26n,
  items: 10_000n,
}

/** Something that a call reads. */
export type Item =
  | { readonly kind: 'account'; readonly address: Address }
  | { readonly kind: 'slot'; readonly address: Address; readonly key: Hex }
  | { readonly kind: 'code'; readonly address: Address; readonly hash: Hash }
  | { readonly kind: 'blockHash'; readonly number: Hex }
  /** Nobody lacks it: the job loads the module that has it. */
  | { readonly kind: 'precompile'; readonly address: Address }

/** A call that ran to its end: everything that it read is proven. */
export interface Done {
  readonly status: 'success' | 'revert' | 'halt'
  readonly output: Hex
  readonly gasUsed: Hex
  readonly logs: readonly {
    readonly address: Hex
    readonly topics: readonly Hex[]
    readonly data: Hex
  }[]
  readonly created: Hex | null
  readonly read: readonly Item[]
  /** What it would leave changed; before and after. */
  readonly changes: readonly {
    readonly address: Address
    readonly nonce: readonly [Hex, Hex]
    readonly balance: readonly [Hex, Hex]
    readonly slots: readonly { readonly key: Hex; readonly value: Hex }[]
  }[]
}

/** What came of one call. The first missing item stopped it; the others are guesses. */
type Answer = Done | { readonly status: 'missing'; readonly items: readonly Item[] } | Rejected

/** The module's answer to a request. */
export interface Answers {
  readonly block: { readonly number: Hex; readonly rules: string }
  readonly answers: readonly Answer[]
}

/** How calls are run. */
export interface Manner {
  readonly overrides: RlpValue
  /** Each on what those before it left? Else all on the state after the block. */
  readonly inSequence: boolean
}

/** RLP of `[source, witness, calls, limits, overrides, sequence]`. */
export function encodeRequest(
  { hash, rlp }: Pick<Header, 'hash' | 'rlp'>,
  { nodes, codes, headers }: Witness,
  calls: readonly Call[],
  { overrides, inSequence }: Manner,
): Uint8Array {
  const { gas, memory, items } = LIMITS
  return encodeRlp([
    [bytesOf(hash), [rlp]],
    [[...nodes.values()], [...codes.values()], headers],
    calls.map(encodeCall),
    [gas, memory, items].map(integerBytes),
    overrides,
    integerBytes(inSequence ? 1n : 0n),
  ])
}

function encodeCall({ from, to, gas, gasPrice, value, data, accessList }: Call): RlpValue {
  const list = accessList.map(({ address, keys }) => [bytesOf(address), keys.map(bytesOf)])
  const [limit, price, wei] = [gas, gasPrice, value].map(integerBytes) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ]
  return [bytesOf(from), bytesOf(to ?? '0x'), limit, price, wei, data, list]
}
