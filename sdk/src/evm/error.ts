/** Why a call came to nothing: an outcome that is proven like any other. */

import type { Hex } from '../encoding/hex.js'
import { fromHex, toHex } from '../encoding/hex.js'
import { printable } from '../encoding/printable.js'

/**
 * How a call failed.
 *
 * - `call.reverted`: the contract refused.
 * - `call.halted`: it ran out of gas, or into an invalid instruction.
 * - `call.refused`: the rules do not let it begin: less gas than its input costs, or more value
 *   than the sender has.
 */
export type CallErrorCode = 'call.reverted' | 'call.halted' | 'call.refused'

/** A call that failed, by the rules: every node that keeps them comes to the same. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly code: CallErrorCode
  /** What the contract returned with its refusal; `0x` where nothing. */
  readonly data: Hex
  /**
   * The text of `Error(string)`, fit to be shown and cut at 200 characters, or the meaning of
   * `Panic(uint256)`; undefined for other errors.
   */
  readonly reason: string | undefined

  constructor(code: CallErrorCode, data: Hex = '0x', words?: string) {
    const told = words ?? reasonOf(data)
    const reason = told === undefined ? undefined : printable(told)
    const what = {
      reverted: 'the contract reverted',
      halted: 'the call halted',
      refused: 'the call is refused',
    }
    const kind = code.slice('call.'.length) as keyof typeof what
    super(reason === undefined ? what[kind] : `${what[kind]}: ${reason}`)
    this.code = code
    this.data = data
    this.reason = reason
  }
}

/** Selectors of `Error(string)` and `Panic(uint256)`. */
const [ERROR, PANIC] = ['0x08c379a0', '0x4e487b71']

/** Solidity's. */
const PANICS: Readonly<Record<string, string>> = {
  1: 'an assertion failed',
  17: 'arithmetic overflow or underflow',
  18: 'division by zero',
  33: 'no such member of the enum',
  34: 'storage of a byte array is damaged',
  49: 'pop of an empty array',
  50: 'index beyond the array',
  65: 'too much memory',
  81: 'call of an empty function pointer',
}

/** Longest text that is read. */
const MAX_TEXT = 1_024

/** What a contract says with its refusal, as Solidity encodes it; undefined for anything else. */
function reasonOf(data: Hex): string | undefined {
  const selector = data.slice(0, 10)
  const bytes = fromHex(`0x${data.slice(10)}`)
  if (bytes === undefined) return undefined
  if (selector === PANIC && bytes.length === 32) {
    const code = BigInt(toHex(bytes))
    return `${PANICS[String(code)] ?? 'panic'} (0x${code.toString(16)})`
  }
  if (selector !== ERROR) return undefined
  const start = numberAt(bytes, 0)
  const length = start === undefined ? undefined : numberAt(bytes, start)
  if (start === undefined || length === undefined || start + 32 + length > bytes.length) {
    return undefined
  }
  const text = bytes.subarray(start + 32, start + 32 + Math.min(length, MAX_TEXT))
  return new TextDecoder().decode(text)
}

/** A word that counts bytes of the data; undefined if it is larger than any. */
function numberAt(bytes: Uint8Array, at: number): number | undefined {
  if (at + 32 > bytes.length) return undefined
  const value = BigInt(toHex(bytes.subarray(at, at + 32)))
  return value > BigInt(bytes.length) ? undefined : Number(value)
}
