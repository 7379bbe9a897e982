/** System cole: every version of a slot, complete; the questions' bytes, and the core's facts as values. */

import type { Chain, ColeConfig } from '../chains.js'
import type { Setup } from '../core/verifier.js'
import { bytesOf, type Hex, integerBytes } from '../encoding/hex.js'
import type { Address } from '../encoding/input.js'
import { encodeRlp } from '../encoding/rlp.js'
import { InputError } from '../errors.js'
import type { ColeFactJson, VersionJson } from '../file.js'

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

/** A question about one slot. */
export interface ColeQuestion {
  readonly address: Address
  readonly slot: Hex
  /** All versions in `from..=to`, or the newest one in `to` or before. */
  readonly mode: 'range' | 'asOf'
  readonly from: bigint
  readonly to: bigint
}

/** Block numbers have 4 bytes; as of the last one there can be is the latest value. */
export const LAST_BLOCK = 0xffff_ffffn

/** The query's RLP: `[mode, address ‖ slot, from, to]`. */
export function encodeColeQuery({ address, slot, mode, from, to }: ColeQuestion): Uint8Array {
  const key = new Uint8Array(52)
  key.set(bytesOf(address))
  key.set(bytesOf(slot), 20)
  const flag = integerBytes(mode === 'asOf' ? 1n : 0n)
  return encodeRlp([flag, key, integerBytes(from), integerBytes(to)])
}

/** The chain's configuration of cole. */
export function coleOf({ name, systems: { cole } }: Chain): ColeConfig {
  if (cole !== undefined) return cole
  const problem = `${name} commits to no cole: set systems.cole of the chain`
  throw new InputError('input.chain', 'client', problem)
}

/** Cole as the core takes it. */
export function coleSetup({ format, params }: ColeConfig): Setup<ColeFactJson> {
  return { verifier: 'ColeVerifier', format, params: bytesOf(params) }
}

/** The history of a fact; undefined if the fact answers another question. */
export function historyOf(fact: ColeFactJson): History | undefined {
  if (fact.mode !== 'range') return undefined
  const { predecessor, versions } = fact
  return {
    fromBlock: BigInt(fact.fromBlock),
    toBlock: BigInt(fact.toBlock),
    versions: versions.map(versionOf),
    complete: true,
    predecessor:
      predecessor.status === 'proven'
        ? { status: 'proven', ...versionOf(predecessor) }
        : { status: predecessor.status },
  }
}

/** The version of a fact; undefined if it is proven absent. */
export function valueIn(fact: ColeFactJson): Version | undefined {
  return fact.mode === 'asOf' && fact.value.status === 'present' ? versionOf(fact.value) : undefined
}

function versionOf({ block, value }: VersionJson): Version {
  return { block: BigInt(block), value }
}
