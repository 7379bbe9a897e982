/**
 * Random contracts that use most instructions: they keep the stack in order, mostly, so that they
 * run far.
 */

import type { Hex } from '../../src/encoding/hex.js'
import { type Dice, hexOf } from './dice.js'

/** What programs may use. */
export interface Surroundings {
  /** Contracts that they call, their own among them. */
  readonly contracts: readonly [Hex, ...Hex[]]
  /** Accounts that they look at and pay. */
  readonly accounts: readonly [Hex, ...Hex[]]
}

const TWO_TO_ONE = [
  ...([0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0a, 0x0b] as const),
  ...([0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18] as const),
] as const
const THREE_TO_ONE = [0x08, 0x09] as const
const SHIFTS = [0x1a, 0x1b, 0x1c, 0x1d] as const
const ONE_TO_ONE = [0x15, 0x19] as const
/** The call's, the block's and the machine's fields; the gas that is left. */
const FIELDS = [
  ...([0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x44, 0x45] as const),
  ...([0x46, 0x47, 0x48, 0x4a, 0x58, 0x59, 0x5a, 0x5f] as const),
] as const
const [NUMBER, POP, JUMPI, GAS, JUMPDEST, REVERT] = [0x43, 0x50, 0x57, 0x5a, 0x5b, 0xfd]
const [CALL, CALLCODE, DELEGATECALL, STATICCALL] = [0xf1, 0xf2, 0xf4, 0xfa]
/** Since Osaka and Amsterdam: CLZ, SLOTNUM, DUPN, SWAPN, EXCHANGE. Before that they end the run. */
const NEWEST: readonly [number[], ...number[][]] = [
  [0x1e],
  [0x4b],
  [0xe6, 0x80],
  [0xe7, 0x80],
  [0xe8, 0x01],
]

/** Writes one program. */
class Writer {
  readonly #dice: Dice
  readonly #around: Surroundings
  readonly #bytes: number[] = []

  constructor(dice: Dice, around: Surroundings) {
    this.#dice = dice
    this.#around = around
  }

  /** Random statements and an end. */
  program(length: number): Hex {
    for (let i = 0; i < length; i++) this.#statement(2)
    this.#end()
    return hexOf(this.#bytes)
  }

  #op(...bytes: readonly number[]): void {
    this.#bytes.push(...bytes)
  }

  #push(value: number | Hex): void {
    const digits = typeof value === 'number' ? value.toString(16) : value.slice(2)
    const bytes = digits.padStart(digits.length + (digits.length % 2), '0').match(/../g) ?? []
    this.#op(0x5f + bytes.length, ...bytes.map((byte) => Number.parseInt(byte, 16)))
  }

  /** A place in memory, most often near the start. */
  #place(): void {
    this.#push(this.#dice.below(this.#dice.once(20) ? 5000 : 160))
  }

  #account(): void {
    const { accounts, contracts } = this.#around
    this.#push(this.#dice.of(this.#dice.once(2) ? accounts : contracts))
  }

  /** Puts one value on the stack. */
  #value(depth: number): void {
    const dice = this.#dice
    const kind = dice.below(depth > 0 ? 15 : 6)
    switch (kind) {
      case 0:
        this.#push(dice.below(2 ** 32))
        break
      case 1:
        this.#push(dice.below(40))
        this.#op(0x35)
        break
      case 2:
      case 3:
        this.#op(dice.of(FIELDS))
        break
      case 4:
        this.#push(dice.below(4))
        break
      case 5:
        this.#push(`0x${hexOf(Array.from({ length: 32 }, () => dice.below(256))).slice(2)}`)
        break
      case 6:
        this.#account()
        // BALANCE, EXTCODESIZE, EXTCODEHASH
        this.#op(dice.of([0x31, 0x3b, 0x3f]))
        break
      case 7:
        // BLOCKHASH, of a block before this one or of any.
        this.#push(dice.below(dice.once(4) ? 300 : 12))
        this.#op(...(dice.once(4) ? [0x40] : [NUMBER, 0x03, 0x40]))
        break
      case 8:
        this.#push(dice.below(8))
        // SLOAD, TLOAD, BLOBHASH
        this.#op(dice.of([0x54, 0x54, 0x54, 0x5c, 0x49]))
        break
      case 9:
        this.#place()
        this.#op(0x51)
        break
      case 10:
        this.#place()
        this.#place()
        this.#op(0x20)
        break
      case 11:
        this.#value(depth - 1)
        this.#op(dice.of(ONE_TO_ONE))
        break
      case 12:
        this.#value(depth - 1)
        this.#push(dice.below(40))
        this.#op(dice.of(SHIFTS))
        break
      case 13:
        for (let i = 0; i < 3; i++) this.#value(depth - 1)
        this.#op(dice.of(THREE_TO_ONE))
        break
      default:
        this.#value(depth - 1)
        this.#value(depth - 1)
        this.#op(dice.of(TWO_TO_ONE))
    }
  }

  /** Leaves the stack as it was. */
  #statement(depth: number): void {
    const dice = this.#dice
    switch (dice.below(depth > 0 ? 14 : 10)) {
      case 0:
      case 1:
        this.#value(2)
        this.#place()
        // MSTORE, MSTORE8
        this.#op(dice.of([0x52, 0x52, 0x53]))
        break
      case 2:
      case 3:
        if (dice.once(3)) this.#push(0)
        else this.#value(2)
        this.#push(dice.below(8))
        // SSTORE, TSTORE
        this.#op(dice.of([0x55, 0x55, 0x5d]))
        break
      case 4: {
        const topics = dice.below(5)
        for (let i = 0; i < topics; i++) this.#value(1)
        this.#place()
        this.#place()
        this.#op(0xa0 + topics)
        break
      }
      case 5:
      case 6:
        this.#call()
        break
      case 7:
        this.#copy()
        break
      case 8:
        this.#shuffle()
        break
      case 9:
        this.#rare()
        break
      case 10:
        this.#create()
        break
      case 11:
        this.#loop(depth)
        break
      default:
        this.#skipped(depth)
    }
  }

  #call(): void {
    const dice = this.#dice
    const kind = dice.of([CALL, CALL, CALLCODE, DELEGATECALL, STATICCALL])
    for (let i = 0; i < 4; i++) this.#place()
    if (kind === CALL || kind === CALLCODE) this.#push(dice.once(3) ? dice.below(1000) : 0)
    if (dice.once(5)) this.#push(1 + dice.below(0x11))
    else this.#account()
    if (dice.once(6)) this.#op(GAS)
    else this.#push(dice.below(200_000))
    this.#op(kind)
    this.#result()
  }

  /** Stores what a call came to, or drops it; then perhaps what it returned. */
  #result(): void {
    const dice = this.#dice
    if (dice.once(2)) this.#op(POP)
    else {
      this.#place()
      this.#op(0x52)
    }
    if (dice.once(3)) {
      // RETURNDATACOPY of all.
      this.#op(0x3d, 0x5f)
      this.#place()
      this.#op(0x3e)
    }
  }

  /** Creates a contract by code that is written to memory. */
  #create(): void {
    const dice = this.#dice
    // Rarely, code that none may be: its first byte is 0xef.
    const runtime: Hex = dice.once(8)
      ? '0xef00'
      : dice.of(['0x00', '0xfe', '0x47ff', '0x60016000556000ff', '0x5f355f5260205ff3'])
    const inner = new Writer(dice, this.#around)
    if (dice.once(2)) inner.#statement(0)
    if (dice.once(5)) inner.#end()
    inner.#push(runtime)
    inner.#op(0x5f, 0x52)
    inner.#push(runtime.length / 2 - 1)
    inner.#push(33 - runtime.length / 2)
    inner.#op(0xf3)
    for (let at = 0; at < inner.#bytes.length; at += 32) {
      const part = inner.#bytes.slice(at, at + 32)
      this.#push(hexOf([...part, ...Array.from({ length: 32 - part.length }, () => 0)]))
      this.#push(at)
      this.#op(0x52)
    }
    const isSalted = dice.once(2)
    if (isSalted) this.#push(dice.below(2))
    this.#push(inner.#bytes.length)
    this.#op(0x5f)
    this.#push(dice.once(3) ? dice.below(100) : 0)
    this.#op(isSalted ? 0xf5 : 0xf0)
    if (dice.once(2)) {
      this.#place()
      this.#op(0x52)
      return
    }
    // Calls it: five zeros, and the address from below them.
    this.#op(0x5f, 0x5f, 0x5f, 0x5f, 0x5f, 0x85, GAS, CALL, 0x90, POP)
    this.#result()
  }

  #copy(): void {
    const dice = this.#dice
    this.#place()
    this.#place()
    this.#place()
    // CALLDATACOPY, CODECOPY, MCOPY, EXTCODECOPY
    const op = dice.of([0x37, 0x39, 0x5e, 0x3c])
    if (op === 0x3c) this.#account()
    this.#op(op)
  }

  #shuffle(): void {
    const dice = this.#dice
    const count = 2 + dice.below(15)
    for (let i = 0; i < count; i++) this.#value(0)
    // SWAP1 to SWAP16, DUP1 to DUP16; then XOR of all.
    this.#op(0x90 + dice.below(count - 1), 0x80 + dice.below(count))
    for (let i = 0; i < count; i++) this.#op(0x18)
    this.#place()
    this.#op(0x52)
  }

  /** A few times over. */
  #loop(depth: number): void {
    this.#push(1 + this.#dice.below(5))
    const start = this.#bytes.length
    this.#op(JUMPDEST)
    this.#statement(depth - 1)
    // Counts down.
    this.#op(0x60, 1, 0x90, 0x03, 0x80)
    this.#push(start)
    this.#op(JUMPI, POP)
  }

  /** A statement behind a condition. */
  #skipped(depth: number): void {
    this.#value(1)
    const at = this.#bytes.length + 1
    this.#op(0x61, 0, 0, JUMPI)
    this.#statement(depth - 1)
    const target = this.#bytes.length
    this.#bytes[at] = target >> 8
    this.#bytes[at + 1] = target & 0xff
    this.#op(JUMPDEST)
  }

  /** What ends most runs, and instructions of the newest forks. */
  #rare(): void {
    const dice = this.#dice
    switch (dice.below(24)) {
      case 0:
        this.#op(dice.below(256))
        break
      case 1:
        this.#account()
        this.#op(0xff)
        break
      case 2:
        // RETURNDATACOPY beyond the end, or a jump to nowhere.
        this.#push(dice.below(100))
        this.#op(...(dice.once(2) ? [0x5f, 0x5f, 0x3e] : [0x56]))
        break
      case 3:
        // So that DUPN and its like find enough.
        for (let i = 0; i < 20; i++) this.#push(i)
        this.#op(...dice.of(NEWEST))
        break
      default:
        this.#value(1)
        this.#op(POP)
    }
  }

  #end(): void {
    const kind = this.#dice.below(10)
    this.#place()
    this.#place()
    this.#op(kind < 7 ? 0xf3 : kind < 9 ? REVERT : 0x00)
  }
}

/** A program of these dice. */
export function randomProgram(dice: Dice, around: Surroundings): Hex {
  return new Writer(dice, around).program(3 + dice.below(25))
}
