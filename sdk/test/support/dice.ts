/** Random numbers that a seed repeats. */

import type { Hex } from '../../src/encoding/hex.js'

/** A source of numbers: the same seed gives the same ones. */
export class Dice {
  #state: number

  /** @param seed - from 0 to 2^32 - 1. */
  constructor(seed: number) {
    this.#state = seed
  }

  /** A whole number from 0 to `end` - 1; `end` is at most 2^32. */
  below(end: number): number {
    // mulberry32
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end)
  }

  /** One of these. */
  of<T>(list: readonly [T, ...T[]]): T {
    return list[this.below(list.length)] ?? list[0]
  }

  /** Is a die of `sides` sides 0? */
  once(sides: number): boolean {
    return this.below(sides) === 0
  }
}

/** Up to 100 random bytes. */
export function randomBytes(dice: Dice): Hex {
  return hexOf(Array.from({ length: dice.below(100) }, () => dice.below(256)))
}

/** `0x` and two digits for each byte. */
export function hexOf(bytes: readonly number[]): Hex {
  return `0x${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
