/** System balanceproofs: values at positions of one committed vector, all of them by one proof. */

import { type Hex, integerBytes } from '../encoding/hex.js'
import { parseInteger } from '../encoding/input.js'
import { type KeySystemTypes, keySystem } from './keys.js'
import type { KeySystem } from './system.js'

/** A position of the vector, from 0 on. */
export type Position = number | bigint

/** What the core says of a position. */
export interface BalanceProofsItem {
  readonly position: Hex
  readonly value: Hex
}

/**
 * What a proof says of a position. Every position has a value: there is no absence, and zero where
 * nothing was written.
 */
export interface BalanceProofsOutcome {
  readonly status: 'present'
  readonly position: bigint
  /** An integer below the order of the group, 2^255 or so; on the devnet a balance in wei. */
  readonly value: bigint
}

/** Formats of {@link balanceproofs}. */
export type BalanceProofsFormat =
  | 'balanceproofs/basic'
  | 'balanceproofs/bucketed'
  | 'balanceproofs/two-layer'

/** The types of {@link balanceproofs}. */
export type BalanceProofsTypes = KeySystemTypes<
  'balanceproofs',
  Position,
  BalanceProofsItem,
  BalanceProofsOutcome,
  BalanceProofsFormat
>

/**
 * Values at positions of one vector. A node proves up to 16 positions as `plain`, where its scheme
 * is `balanceproofs/basic`, and more with hints. Proofs with hints are a few points and take milliseconds to
 * check, however many positions they are of: `hinted`, `commit-hinted`, `T1` and `T3`. Their
 * soundness rests on the algebraic group model and a random oracle; to accept the paper's own
 * alone, copy the object with other `variants`.
 */
export const balanceproofs: KeySystem<BalanceProofsTypes> = keySystem({
  name: 'balanceproofs',
  module: 'bls12_381',
  verifier: 'BalanceProofsVerifier',
  // From some 20 ms on. `hinted` and `commit-hinted` take 8 ms at most.
  partsFrom: { halved: 1_000, plain: 2_000, singles: 2_000, T1: 2_000, T3: 2_000 },
  formats: ['balanceproofs/basic', 'balanceproofs/bucketed', 'balanceproofs/two-layer'],
  // 4,096 balances on Ethereum's KZG ceremony, whose points a node is asked for.
  devnet: {
    format: 'balanceproofs/basic',
    paramsDigest: '0x4bba01bafff8c24741d3084d63860e878abe78b4e53c02f1e04275dee80d47ad',
  },
  keyText: 'integer',
  variants: ['hinted', 'T3', 'T1', 'plain', 'halved', 'singles', 'commit-hinted'],
  parseKey: (key, argument) => integerBytes(parsePosition(key, argument)),
  outcomeOf: ({ position, value }) => ({
    status: 'present',
    position: BigInt(position),
    value: BigInt(value),
  }),
  inState: ({ position, value }, { accounts }) => {
    const address = accounts[Number(position)]
    return address && { address, value: BigInt(value) }
  },
  needsAccounts: true,
  compare: (a, b) => a.length - b.length || compareBytes(a, b),
})

/** The longest vector that the field has a domain for has 2^32 positions. */
const MAX_POSITION = 2 ** 32 - 1

function parsePosition(value: unknown, argument: string): bigint {
  const given = typeof value === 'bigint' && value <= MAX_POSITION ? Number(value) : value
  return BigInt(parseInteger(given, argument, { min: 0, max: MAX_POSITION, code: 'input.key' }))
}

/** Of two strings of one length, which comes first. */
function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, i) => byte !== b[i])
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}
